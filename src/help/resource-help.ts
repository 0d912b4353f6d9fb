import type { accountReasons, apiKeyReasons, projectReasons } from '../rules/reasons.ts';
import type { HelpText } from './symptoms.ts';

const platform = 'Nothing to do for you: this is for the people who run the platform. Tell them if it lasts.';
const settled = 'Nothing to do: all is well.';

/** Projects, beside what their domains say. */
export const projectHelp: Readonly<
  Record<Exclude<keyof typeof projectReasons, 'Accepted' | 'AccountNotFound'>, HelpText>
> = {
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
  NotDeployed: {
    title: 'Waiting for your first deployment',
    meaning: 'Your project has never been published, so there is nothing a domain could show.',
    todo: 'Publish the project once; its domains then continue by themselves.',
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
    meaning: 'A domain of the configuration of the project was also added by itself; the one that was added counts.',
    todo: 'Remove the domain from the configuration, or remove the one that was added.',
    symptom: 'redirects-misbehave',
  },
  DomainCapReached: {
    title: 'Too many domains for your plan',
    meaning:
      'Your account has as many domains as its plan allows, so some entries of the project’s configuration wait.',
    todo: 'Remove domains you no longer need, in any project, or ask the platform for a higher plan.',
    symptom: null,
  },
};

/** API keys. */
export const apiKeyHelp: Readonly<Record<Exclude<keyof typeof apiKeyReasons, 'AccountNotFound'>, HelpText>> = {
  Ready: { title: 'Ready', meaning: 'Everything is set up.', todo: settled, symptom: null },
  NamespaceMissing: {
    title: 'Account is being set up',
    meaning: 'The place where things of your account are kept does not exist yet.',
    todo: platform,
    symptom: null,
  },
};

/** The account itself: customers hardly meet these, the platform mends them. */
export const accountHelp: Readonly<
  Record<Exclude<keyof typeof accountReasons, 'NamespaceMissing' | 'PlanNotFound' | 'Ready'>, HelpText>
> = {
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
