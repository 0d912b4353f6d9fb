import type { AcceptedReason, AccountReason, ApiKeyReason, ProjectReason, RoutedReason } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const platform = 'Nothing to do for you: this is for the people who run the platform. Tell them if it lasts.';
const settled = 'Nothing to do: all is well.';

/** Projects, beside what their domains say. */
export const projectHelp: Readonly<Record<Exclude<ProjectReason, AcceptedReason | RoutedReason | 'Ready'>, HelpText>> =
  {
    InvalidSubdomain: {
      title: 'The platform address cannot be used',
      meaning: 'The name chosen for the project cannot be part of an address.',
      todo: 'Choose another name of lower case letters, digits and inner hyphens.',
      symptom: null,
    },
    SubdomainReserved: {
      title: 'The platform address is reserved',
      meaning: 'The platform keeps this name for itself.',
      todo: 'Choose another name for the address of the project.',
      symptom: null,
    },
    SubdomainTaken: {
      title: 'The platform address is taken',
      meaning: 'Another project has this address.',
      todo: 'Choose another name for the address of the project.',
      symptom: null,
    },
    Deployed: {
      title: 'Project is published',
      meaning: 'The project has been running at least once.',
      todo: settled,
      symptom: null,
    },
    DomainsDeclared: {
      title: 'Domains are set up',
      meaning: 'Every domain of the configuration of the project has its entry.',
      todo: settled,
      symptom: null,
    },
    DeclaredElsewhere: {
      title: 'A domain is declared twice',
      meaning: 'A domain of the configuration of the project was also added separately; the one that was added counts.',
      todo: 'Remove the domain from the configuration, or remove the one that was added.',
      symptom: 'redirects-misbehave',
    },
  };

/** API keys. */
export const apiKeyHelp: Readonly<Record<Exclude<ApiKeyReason, AcceptedReason>, HelpText>> = {
  Ready: { title: 'Ready', meaning: 'Everything is set up.', todo: settled, symptom: null },
  NamespaceMissing: {
    title: 'Account is being set up',
    meaning: 'The place where things of your account are kept does not exist yet.',
    todo: platform,
    symptom: null,
  },
};

/** The account itself: customers hardly meet these, the platform mends them. */
export const accountHelp: Readonly<Record<Exclude<AccountReason, AcceptedReason | ApiKeyReason>, HelpText>> = {
  PlanFound: {
    title: 'Plan is set up',
    meaning: 'The platform knows what your plan allows.',
    todo: settled,
    symptom: null,
  },
  NamespaceReady: {
    title: 'Account is set up',
    meaning: 'The place where things of your account are kept exists.',
    todo: settled,
    symptom: null,
  },
  RightsMissing: {
    title: 'The platform lacks rights in your account',
    meaning: 'The platform may not yet make certificates and routes for your account.',
    todo: platform,
    symptom: null,
  },
  IssuerGuarded: {
    title: 'Certificates are guarded',
    meaning: 'Nothing is ordered of the certificate authority before DNS was looked at.',
    todo: settled,
    symptom: null,
  },
  ApprovedElsewhere: {
    title: 'Certificates are ordered too early',
    meaning: 'The platform orders certificates without looking at DNS first.',
    todo: platform,
    symptom: null,
  },
  SecretsOwned: {
    title: 'Certificates are kept too briefly',
    meaning: 'The platform deletes a certificate when a domain pauses, and must order it again afterwards.',
    todo: platform,
    symptom: null,
  },
  CertManagerNotFound: {
    title: 'Certificates cannot be ordered',
    meaning: 'The part of the platform that orders certificates is not there.',
    todo: platform,
    symptom: null,
  },
};
