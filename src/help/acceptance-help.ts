import type { HostnameCode } from '../rules/hostname.ts';
import type { acceptedReasons } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

/** Whether a domain may be served at all: mostly conditions that have nothing to do with DNS. */
export const acceptanceHelp: Readonly<Record<keyof typeof acceptedReasons, HelpText>> = {
  Accepted: {
    title: 'Domain accepted',
    meaning: 'Your plan and your project allow this domain.',
    todo: 'Nothing to do: the next step begins automatically.',
    symptom: null,
  },
  AccountNotFound: {
    title: 'Account is being set up',
    meaning: 'The platform cannot see your account right now. What is served already goes on being served.',
    todo: 'Nothing to do: it continues automatically. If it lasts longer than an hour, tell the platform.',
    symptom: null,
  },
  PlanNotFound: {
    title: 'Plan is being set up',
    meaning: 'The platform cannot see your plan right now. What is served already goes on being served.',
    todo: 'Nothing to do: it continues automatically. If it lasts longer than an hour, tell the platform.',
    symptom: null,
  },
  ProjectNotFound: {
    title: 'Project not found',
    meaning: 'The project this domain belongs to does not exist.',
    todo: 'Create the project again under the same name, or remove this domain and add it to another project.',
    symptom: null,
  },
  PlanUpgradeRequired: {
    title: 'Your plan has no custom domains',
    meaning: 'Domains of your own come with Pro and higher plans. The platform address of your project keeps working.',
    todo: 'Ask the platform to upgrade your plan; this domain then continues automatically. Or remove it.',
    symptom: null,
  },
  NotDeployed: {
    title: 'Waiting for your first deployment',
    meaning: 'Your project has never been published, so this domain has nothing to show yet.',
    todo: 'Publish the project once; the domain then continues automatically.',
    symptom: null,
  },
  DomainCapReached: {
    title: 'Too many domains for your plan',
    meaning: 'Your plan limits the number of domains in a project, and others were added before this one.',
    todo: 'Remove a domain you no longer need, or ask the platform for a higher plan.',
    symptom: null,
  },
  PrimaryExists: {
    title: 'The project already has a primary domain',
    meaning: 'A project is served at one primary domain; all others redirect to it.',
    todo: 'Make this domain a redirect, or remove the primary domain first.',
    symptom: null,
  },
  HostnameInUse: {
    title: 'You use this domain elsewhere',
    meaning: 'Another entry of your own account has the same domain; only one of them can be served.',
    todo: 'Remove one of the two: here, or in the other project.',
    symptom: null,
  },
  RedirectToSelf: {
    title: 'The redirect leads to itself',
    meaning: 'Visitors would be redirected in a loop, so the redirect is not set up.',
    todo: 'Choose another domain of the project as destination.',
    symptom: 'redirects-misbehave',
  },
  RedirectToRedirect: {
    title: 'The redirect leads to another redirect',
    meaning: 'Redirects lead straight to a domain that serves the project, never through a second redirect.',
    todo: 'Choose the final destination, usually the primary domain.',
    symptom: 'redirects-misbehave',
  },
  RedirectToForeign: {
    title: 'The destination is not a domain of this project',
    meaning: 'Redirects lead to domains of the same project, or to its platform address.',
    todo: 'Add the destination to this project first, or choose another one.',
    symptom: 'redirects-misbehave',
  },
};

/** A text that cannot be used as a domain. */
export const hostnameHelp: Readonly<Record<HostnameCode, HelpText>> = {
  InvalidHostname: {
    title: 'This is not a domain name',
    meaning: 'The name has characters or a form that domain names cannot have.',
    todo: 'Remove it and add it as it appears in your browser, such as www.example.com.',
    symptom: null,
  },
  WildcardHostname: {
    title: 'Wildcards are not supported',
    meaning: 'A name such as *.example.com stands for many domains; each needs its own certificate here.',
    todo: 'Remove it and add each domain separately, such as www.example.com.',
    symptom: null,
  },
  IPLiteral: {
    title: 'This is an address, not a domain name',
    meaning: 'Numbers such as 203.0.113.10 are the address of a server; a domain is a name that points to one.',
    todo: 'Remove it and add a domain name, such as www.example.com.',
    symptom: null,
  },
  PublicSuffix: {
    title: 'This ending belongs to everybody',
    meaning: 'Domains are registered below endings such as .com or .co.uk; nobody owns the ending itself.',
    todo: 'Remove it and add the domain that you own below it, such as example.co.uk.',
    symptom: null,
  },
  PlatformHostname: {
    title: "This domain is the platform's own",
    meaning: 'Names below the domains of the platform are assigned by the platform itself.',
    todo: 'Remove it and add a domain that you own.',
    symptom: null,
  },
};
