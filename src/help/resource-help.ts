import type {
  AcceptedReason,
  AccountReason,
  AcmeIssuerReason,
  ApiKeyReason,
  ProjectReason,
  RoutedReason,
} from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const platform = 'Nothing to do: the people who run the platform take care of this. Contact support if it lasts.';
const settled = 'Nothing to do: everything is fine.';

/** Reasons of Projects that their domains do not share. */
export const projectHelp: Readonly<Record<Exclude<ProjectReason, AcceptedReason | RoutedReason | 'Ready'>, HelpText>> =
  {
    InvalidSubdomain: {
      title: 'This platform address isn’t possible',
      meaning: 'The name chosen for the project can’t be part of an address.',
      todo: 'Choose another name made of lowercase letters, digits and hyphens.',
      symptom: null,
    },
    SubdomainReserved: {
      title: 'This platform address is reserved',
      meaning: 'The platform uses this name itself.',
      todo: 'Choose another name for the project’s address, or none: it is given one.',
      symptom: null,
    },
    SubdomainTaken: {
      title: 'This platform address is taken',
      meaning: 'Another project has this address.',
      todo: 'Choose another name for the project’s address, or none: it is given one.',
      symptom: null,
    },
    Deployed: {
      title: 'Project published',
      meaning: 'The project has been published at least once.',
      todo: settled,
      symptom: null,
    },
    DomainsDeclared: {
      title: 'Domains set up',
      meaning: "Every domain in the project's configuration has been created.",
      todo: settled,
      symptom: null,
    },
    DeclaredElsewhere: {
      title: 'A domain was added twice',
      meaning: 'It is in the project’s configuration and was also added separately. The one added separately counts.',
      todo: 'Remove it from the configuration, or have the configuration take over what was added separately.',
      symptom: 'redirects-misbehave',
    },
  };

/** API keys. */
export const apiKeyHelp: Readonly<Record<Exclude<ApiKeyReason, AcceptedReason | 'WriteRefused'>, HelpText>> = {
  Ready: { title: 'Ready', meaning: 'Everything is set up.', todo: settled, symptom: null },
  NamespaceMissing: {
    title: 'Your account is being set up',
    meaning: 'The place where your account’s data is kept doesn’t exist yet.',
    todo: platform,
    symptom: null,
  },
};

/** The account itself: customers rarely see these, the platform fixes them. */
export const accountHelp: Readonly<Record<Exclude<AccountReason, AcceptedReason | ApiKeyReason>, HelpText>> = {
  PlanFound: {
    title: 'Plan set up',
    meaning: 'The platform knows what your plan allows.',
    todo: settled,
    symptom: null,
  },
  NamespaceReady: {
    title: 'Account set up',
    meaning: 'The place where your account’s data is kept exists.',
    todo: settled,
    symptom: null,
  },
  RightsMissing: {
    title: 'The platform lacks rights in your account',
    meaning: 'It isn’t allowed to create certificates and routes for your account yet.',
    todo: platform,
    symptom: null,
  },
  IssuerGuarded: {
    title: 'Certificates are ordered safely',
    meaning: 'DNS is checked before anything is ordered from the certificate authority.',
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
  GatewayGuarded: {
    title: 'Hostnames are served safely',
    meaning: 'Only hostnames whose owner was checked are served.',
    todo: settled,
    symptom: null,
  },
  GatewayOpen: {
    title: 'New hostnames are not served yet',
    meaning: 'The platform isn’t sure that only hostnames whose owner was checked are served.',
    todo: platform,
    symptom: null,
  },
  GatewayNotFound: {
    title: 'New hostnames are not served yet',
    meaning: 'The part of the platform that serves hostnames is missing.',
    todo: platform,
    symptom: null,
  },
};

/** The platform's certificate authority: the platform fixes these, too. */
export const acmeIssuerHelp: Readonly<Record<Exclude<AcmeIssuerReason, AccountReason>, HelpText>> = {
  Registered: {
    title: 'Certificates can be ordered',
    meaning: 'The certificate authority knows the platform.',
    todo: settled,
    symptom: null,
  },
  KeyMissing: {
    title: 'Certificates cannot be ordered',
    meaning: 'The key that the platform orders certificates with is missing.',
    todo: platform,
    symptom: null,
  },
  KeyUnreadable: {
    title: 'Certificates cannot be ordered',
    meaning: 'The key that the platform orders certificates with cannot be used.',
    todo: platform,
    symptom: null,
  },
  AuthorityUnreachable: {
    title: 'The certificate authority does not answer',
    meaning: 'Certificates are ordered when it answers again.',
    todo: platform,
    symptom: null,
  },
  AuthorityRefused: {
    title: 'The certificate authority refuses the platform',
    meaning: 'Certificates cannot be ordered until the platform has settled that.',
    todo: platform,
    symptom: null,
  },
};
