import { acceptedReasons } from './accepted-reasons.ts';
import type { CodeRow } from './code-rows.ts';
import { allIsFine } from './code-rows.ts';
import { refusedReasons } from './refusal-codes.ts';

/** Project, Accepted. */
export const projectAcceptedReasons = {
  Accepted: {
    ...acceptedReasons.Accepted,
    definition: 'The project is served at its platform hostname.',
  },
  AccountNotFound: {
    ...acceptedReasons.AccountNotFound,
    definition: 'The namespace belongs to no Account that is ready.',
  },
  InvalidSubdomain: {
    definition: 'The subdomain is not one DNS label.',
    title: 'This platform address isn’t possible',
    meaning: 'The name chosen for the project can’t be part of an address.',
    todo: 'Choose another name made of lowercase letters, digits and hyphens.',
  },
  SubdomainReserved: {
    definition:
      'The project asks by name for a subdomain that the platform keeps for itself, or has one from before it was kept.',
    title: 'This platform address is reserved',
    meaning: 'The platform uses this name itself.',
    todo: 'Choose another name for the project’s address, or none: it is given one.',
  },
  SubdomainTaken: {
    definition: 'The project asks by name for a subdomain that another project has.',
    title: 'This platform address is taken',
    meaning: 'Another project has this address.',
    todo: 'Choose another name for the project’s address, or none: it is given one.',
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Project, Deployed. */
export const deployedReasons = {
  Deployed: {
    definition: 'The Service has had a ready endpoint once; that is remembered.',
    title: 'Project published',
    meaning: 'The project has been published at least once.',
    todo: allIsFine,
  },
  NotDeployed: {
    ...acceptedReasons.NotDeployed,
    definition: 'The Service has had no ready endpoint yet.',
    sentence: ({ service }: { readonly service: string }) =>
      `Service ${service} has had no ready endpoint yet; deploy the project`,
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** Project, DomainsDeclared. */
export const declaredReasons = {
  ...refusedReasons,
  DomainsDeclared: {
    definition: 'Every entry of spec.domains is a ProjectDomain.',
    title: 'Domains set up',
    meaning: "Every domain in the project's configuration has been created.",
    todo: allIsFine,
  },
  DeclaredElsewhere: {
    definition: 'A stand-alone ProjectDomain has the hostname of an entry, and wins over it.',
    title: 'A domain was added twice',
    meaning: 'It is in the project’s configuration and was also added separately. The one added separately counts.',
    todo: 'Remove it from the configuration, or have the configuration take over what was added separately.',
    symptom: 'redirects-misbehave',
  },
  DomainCapReached: {
    ...acceptedReasons.DomainCapReached,
    definition: 'The account has as many domains as it may have, so some entries are not created.',
  },
} as const satisfies Readonly<Record<string, CodeRow>>;
