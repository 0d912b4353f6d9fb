import type { HostnameCode } from '../rules/hostname.ts';
import type { acceptedReasons } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

/** Whether a domain may be served at all: mostly conditions that have nothing to do with DNS. */
export const acceptanceHelp: Readonly<Record<keyof typeof acceptedReasons, HelpText>> = {
  Accepted: {
    title: 'Domain accepted',
    meaning: 'Your plan and your project allow this domain.',
    todo: 'Nothing to do: the next step starts automatically.',
    symptom: null,
  },
  AccountNotFound: {
    title: 'Your account is being set up',
    meaning: 'We can’t find your account right now. Domains that are live stay live.',
    todo: 'Nothing to do: this continues automatically. If it takes more than an hour, contact support.',
    symptom: null,
  },
  PlanNotFound: {
    title: 'Your plan is being set up',
    meaning: 'We can’t find your plan right now. Domains that are live stay live.',
    todo: 'Nothing to do: this continues automatically. If it takes more than an hour, contact support.',
    symptom: null,
  },
  ProjectNotFound: {
    title: 'Project not found',
    meaning: 'The project of this domain doesn’t exist.',
    todo: 'Create a project with the same name, or add the domain to another project.',
    symptom: null,
  },
  PlanUpgradeRequired: {
    title: 'Custom domains require Pro or higher',
    meaning: 'Your plan doesn’t include custom domains. Your project stays online at its platform address.',
    todo: 'Upgrade your plan; setup then continues automatically.',
    symptom: null,
  },
  NotDeployed: {
    title: 'Publish your project first',
    meaning: 'Your project has never been published, so this domain would have nothing to show.',
    todo: 'Publish the project once; setup then continues automatically.',
    symptom: null,
  },
  DomainCapReached: {
    title: 'Your plan allows no more domains',
    meaning: 'The project already has as many domains as your plan allows.',
    todo: 'Remove a domain that you no longer need, or upgrade your plan.',
    symptom: null,
  },
  PrimaryExists: {
    title: 'The project already has a primary domain',
    meaning: 'A project has one primary domain; all others redirect to it.',
    todo: 'Make this domain a redirect to the primary domain.',
    symptom: null,
  },
  HostnameInUse: {
    title: 'You already use this domain',
    meaning: 'Another project of your account has the same domain, and only one can serve it.',
    todo: 'Remove it here or in the other project.',
    symptom: null,
  },
  PrepareUnavailable: {
    title: 'Domains can’t be prepared here',
    meaning: 'This platform gets certificates only once a domain points here.',
    todo: 'Remove the domain and add it without preparing it.',
    symptom: null,
  },
  RedirectToSelf: {
    title: 'This domain redirects to itself',
    meaning: 'Visitors would be redirected in a loop.',
    todo: 'Choose another domain of the project as the destination.',
    symptom: 'redirects-misbehave',
  },
  RedirectToRedirect: {
    title: 'The destination is a redirect itself',
    meaning: 'A redirect has to point straight to a domain that shows the project.',
    todo: 'Choose the final destination, usually the primary domain.',
    symptom: 'redirects-misbehave',
  },
  RedirectToForeign: {
    title: 'The destination is not a domain of this project',
    meaning: 'A redirect can only point to a domain of the same project or to its platform address.',
    todo: 'Add the destination to this project first, or choose another one.',
    symptom: 'redirects-misbehave',
  },
};

/** A text that cannot be used as a domain. */
export const hostnameHelp: Readonly<Record<HostnameCode, HelpText>> = {
  InvalidHostname: {
    title: 'This isn’t a domain name',
    meaning: 'It has characters or a form that domain names can’t have.',
    todo: 'Enter the domain as it appears in your browser, such as www.example.com.',
    symptom: null,
  },
  WildcardHostname: {
    title: 'This wildcard can’t be used',
    meaning:
      'A wildcard stands for one label, such as *.example.com, isn’t a redirect, and not every platform offers any.',
    todo: 'Add each domain separately, such as www.example.com.',
    symptom: null,
  },
  IPLiteral: {
    title: 'This is an IP address, not a domain',
    meaning: 'Numbers such as 203.0.113.10 are the address of a server; a domain is a name.',
    todo: 'Enter a domain such as www.example.com.',
    symptom: null,
  },
  PublicSuffix: {
    title: 'This is a public suffix',
    meaning: 'Domains are registered under endings such as .com or .co.uk; the ending itself can’t be added.',
    todo: 'Enter a domain you own, such as example.co.uk.',
    symptom: null,
  },
  PlatformHostname: {
    title: 'This domain belongs to the platform',
    meaning: 'Addresses under the platform’s own domain are assigned automatically.',
    todo: 'Enter a domain you own.',
    symptom: null,
  },
};
