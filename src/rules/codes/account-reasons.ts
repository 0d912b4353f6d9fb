import { acceptedReasons } from './accepted-reasons.ts';
import type { CodeRow } from './code-rows.ts';
import { allIsFine, leftToPlatform } from './code-rows.ts';
import { refusedReasons } from './refusal-codes.ts';

/** Account, PlanFound. */
export const planReasons = {
  ...refusedReasons,
  PlanFound: {
    definition: "The account's Plan exists.",
    title: 'Plan set up',
    meaning: 'The platform knows what your plan allows.',
    todo: allIsFine,
  },
  PlanNotFound: {
    ...acceptedReasons.PlanNotFound,
    definition: "The account's Plan does not exist.",
    sentence: ({ plan }: { readonly plan: string }) => `plan ${plan} does not exist; create it or set another`,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Account, NamespaceReady. */
export const namespaceReasons = {
  NamespaceReady: {
    definition: "The account's namespace exists, and the operator has its rights there.",
    title: 'Account set up',
    meaning: 'The place where your account’s data is kept exists.',
    todo: allIsFine,
  },
  NamespaceMissing: {
    definition: 'No namespace carries the label of the account.',
    title: 'Your account is being set up',
    meaning: 'The place where your account’s data is kept doesn’t exist yet.',
    todo: leftToPlatform.todo,
  },
  RightsMissing: {
    definition:
      "The operator may not create or delete Secrets in the account's namespace: a hostname cannot leave the account.",
    title: 'The platform lacks rights in your account',
    meaning: 'It isn’t allowed to create certificates and routes for your account yet.',
    todo: leftToPlatform.todo,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Account, IssuerGuarded. */
export const issuerReasons = {
  IssuerGuarded: {
    definition: "Nothing is ordered from our issuer without the operator's approval.",
    title: 'Certificates are ordered safely',
    meaning: 'DNS is checked before anything is ordered from the certificate authority.',
    todo: allIsFine,
  },
  ApprovedElsewhere: {
    definition: 'cert-manager approves requests to our issuer automatically, so DNS is not checked first.',
    title: 'Certificates are ordered too early',
    meaning: 'The platform orders certificates without checking DNS first.',
    todo: leftToPlatform.todo,
  },
  SecretsOwned: {
    definition: 'cert-manager deletes a Secret with its Certificate, so a hostname that returns needs a new order.',
    title: 'Certificates are kept too briefly',
    meaning: 'The platform deletes a certificate when a domain is suspended, and must order it again afterwards.',
    todo: leftToPlatform.todo,
  },
  CertManagerNotFound: {
    definition: 'cert-manager was not found where the configuration says it is.',
    title: 'Certificates cannot be ordered',
    meaning: 'The part of the platform that orders certificates is missing.',
    todo: leftToPlatform.todo,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Account, GatewayGuarded. */
export const gatewayReasons = {
  GatewayGuarded: {
    definition: 'Nobody but the operator can attach hostnames to the Gateway.',
    title: 'Hostnames are served safely',
    meaning: 'Only hostnames whose owner was checked are served.',
    todo: allIsFine,
  },
  GatewayOpen: {
    definition: 'Others can attach hostnames to the Gateway, so no new one is served.',
    title: 'New hostnames are not served yet',
    meaning: 'The platform isn’t sure that only hostnames whose owner was checked are served.',
    todo: leftToPlatform.todo,
  },
  GatewayNotFound: {
    definition: 'The Gateway does not exist, so no new hostname is served.',
    title: 'New hostnames are not served yet',
    meaning: 'The part of the platform that serves hostnames is missing.',
    todo: leftToPlatform.todo,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Account and Project, Ready, where nothing blocks. */
export const readyReasons = {
  ...refusedReasons,
  Ready: {
    definition: 'Everything is in place.',
    title: 'Ready',
    meaning: 'Everything is set up.',
    todo: allIsFine,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** ApiKey, Ready. */
export const apiKeyReasons = {
  ...refusedReasons,
  Ready: {
    ...readyReasons.Ready,
    definition: 'The key can be used.',
  },
  AccountNotFound: {
    ...acceptedReasons.AccountNotFound,
    definition: "The key's Account does not exist.",
  },
  NamespaceMissing: {
    ...namespaceReasons.NamespaceMissing,
    definition: 'The account has no namespace, where the Secret with a generated key would go.',
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** AcmeIssuer, Ready. */
export const acmeIssuerReasons = {
  ...refusedReasons,
  Registered: {
    definition: 'An account can be used.',
    title: 'Certificates can be ordered',
    meaning: 'The certificate authority knows the platform.',
    todo: allIsFine,
  },
  KeyMissing: {
    definition: 'The key that the account had before, or one that the authority gave, is not in its Secret.',
    title: 'Certificates cannot be ordered',
    meaning: 'The key that the platform orders certificates with is missing.',
    todo: leftToPlatform.todo,
  },
  KeyUnreadable: {
    definition: 'A Secret holds something else than a key that can be used.',
    title: 'Certificates cannot be ordered',
    meaning: 'The key that the platform orders certificates with cannot be used.',
    todo: leftToPlatform.todo,
  },
  RightsMissing: {
    ...namespaceReasons.RightsMissing,
    definition: "The operator may not read a Secret: it is not among the chart's issuer.accountSecrets.",
  },
  AuthorityUnreachable: {
    definition: 'The certificate authority does not answer as one; it is asked again every minute.',
    title: 'The certificate authority does not answer',
    meaning: 'Certificates are ordered when it answers again.',
    todo: leftToPlatform.todo,
  },
  AuthorityRefused: {
    definition: 'The certificate authority refuses the account; the message quotes its answer.',
    title: 'The certificate authority refuses the platform',
    meaning: 'Certificates cannot be ordered until the platform has settled that.',
    todo: leftToPlatform.todo,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;
