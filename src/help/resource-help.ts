import type { AcceptedReason, AccountReason, ApiKeyReason, ProjectReason, RoutedReason } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const platform = 'Nothing to do for you: the people who run the platform take care of this. Tell them if it lasts.';
const settled = 'Nothing to do: everything is fine.';

/** Reasons of Projects that their domains do not share. */
export const projectHelp: Readonly<Record<Exclude<ProjectReason, AcceptedReason | RoutedReason | 'Ready'>, HelpText>> =
  {
    InvalidSubdomain: {
      title: 'The platform address cannot be used',
      meaning: 'The name chosen for the project cannot be part of an address.',
      todo: 'Choose another name of lowercase letters, digits and inner hyphens.',
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
      meaning: "Every domain in the project's configuration has been created.",
      todo: settled,
      symptom: null,
    },
    DeclaredElsewhere: {
      title: 'A domain is declared twice',
      meaning:
        "A domain in the project's configuration was also added separately; the one that was added separately counts.",
      todo: 'Remove the domain from the configuration, or remove the one that was added separately.',
      symptom: 'redirects-misbehave',
    },
  };

/** API keys. */
export const apiKeyHelp: Readonly<Record<Exclude<ApiKeyReason, AcceptedReason>, HelpText>> = {
  Ready: { title: 'Ready', meaning: 'Everything is set up.', todo: settled, symptom: null },
  NamespaceMissing: {
    title: 'Account is being set up',
    meaning: 'The place where the data of your account is kept does not exist yet.',
    todo: platform,
    symptom: null,
  },
};

/** The account itself: customers rarely see these, the platform fixes them. */
export const accountHelp: Readonly<Record<Exclude<AccountReason, AcceptedReason | ApiKeyReason>, HelpText>> = {
  PlanFound: {
    title: 'Plan is set up',
    meaning: 'The platform knows what your plan allows.',
    todo: settled,
    symptom: null,
  },
  NamespaceReady: {
    title: 'Account is set up',
    meaning: 'The place where the data of your account is kept exists.',
    todo: settled,
    symptom: null,
  },
  RightsMissing: {
    title: 'The platform lacks rights in your account',
    meaning: 'The platform does not have permission yet to create certificates and routes for your account.',
    todo: platform,
    symptom: null,
  },
  IssuerGuarded: {
    title: 'Certificates are guarded',
    meaning: 'Nothing is ordered from the certificate authority before DNS has been checked.',
    todo: settled,
    symptom: null,
  },
  ApprovedElsewhere: {
    title: 'Certificates are ordered too early',
    meaning: 'The platform orders certificates without checking DNS first.',
    todo: platform,
    symptom: null,
  },
  SecretsOwned: {
    title: 'Certificates are kept too briefly',
    meaning: 'The platform deletes a certificate when a domain is suspended, and must order it again afterwards.',
    todo: platform,
    symptom: null,
  },
  CertManagerNotFound: {
    title: 'Certificates cannot be ordered',
    meaning: 'The part of the platform that orders certificates is missing.',
    todo: platform,
    symptom: null,
  },
};
