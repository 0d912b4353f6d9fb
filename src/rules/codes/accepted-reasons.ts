import type { DomainCodeRow } from './code-rows.ts';

/** ProjectDomain, Accepted: the results of the acceptance rules, mostly about what has nothing to do with DNS. */
export const acceptedReasons = {
  Accepted: {
    definition: 'The domain may be served.',
    title: 'Domain accepted',
    meaning: 'Your plan and your project allow this domain.',
    todo: 'Nothing to do: the next step starts automatically.',
    step: { kind: null, actor: 'Platform' },
  },
  AccountNotFound: {
    definition: 'The namespace carries no account label, or that Account is missing or still being set up.',
    title: 'Your account is being set up',
    meaning: 'We can’t find your account right now. Domains that are live stay live.',
    todo: 'Nothing to do: this continues automatically. If it takes more than an hour, contact support.',
    step: { kind: null, actor: 'Platform' },
  },
  PlanNotFound: {
    definition: "The account's Plan does not exist.",
    sentence: ({ plan }: { readonly plan: string | undefined }) =>
      `plan ${plan} does not exist; create it or change the account's plan`,
    title: 'Your plan is being set up',
    meaning: 'We can’t find your plan right now. Domains that are live stay live.',
    todo: 'Nothing to do: this continues automatically. If it takes more than an hour, contact support.',
    step: { kind: null, actor: 'Platform' },
  },
  ProjectNotFound: {
    definition: 'The Project that the domain names does not exist in its namespace.',
    title: 'Project not found',
    meaning: 'The project of this domain doesn’t exist.',
    todo: 'Create a project with the same name, or add the domain to another project.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  PlanUpgradeRequired: {
    definition: "The account's plan does not include custom domains.",
    sentence: ({ plan }: { readonly plan: string | undefined }) =>
      `plan ${plan} does not include custom domains; upgrade to Pro or higher`,
    title: 'Custom domains require Pro or higher',
    meaning: 'Your plan doesn’t include custom domains. Your project stays online at its platform address.',
    todo: 'Upgrade your plan; setup then continues automatically.',
    step: { kind: 'upgrade', actor: 'Owner' },
  },
  NotDeployed: {
    definition: 'The project was never deployed: its Service has never had a ready endpoint.',
    sentence: ({ project, service }: { readonly project: string | undefined; readonly service: string | undefined }) =>
      `project ${project} was never deployed: Service ${service} has never had a ready endpoint`,
    title: 'Publish your project first',
    meaning: 'Your project has never been published, so this domain would have nothing to show.',
    todo: 'Publish the project once; setup then continues automatically.',
    step: { kind: 'deploy', actor: 'Owner' },
  },
  DomainCapReached: {
    definition: 'The project has as many domains as the plan allows, and the others take precedence.',
    title: 'Your plan allows no more domains',
    meaning: 'The project already has as many domains as your plan allows.',
    todo: 'Remove a domain that you no longer need, or upgrade your plan.',
    step: { kind: 'upgrade', actor: 'Owner' },
  },
  PrimaryExists: {
    definition: 'The project has another primary domain, which takes precedence.',
    sentence: ({ primary }: { readonly primary: string }) =>
      `${primary} is the project's primary domain; make this one a redirect, or ${primary} first`,
    title: 'The project already has a primary domain',
    meaning: 'A project has one primary domain; all others redirect to it.',
    todo: 'Make this domain a redirect to the primary domain.',
    step: { kind: 'make-redirect', actor: 'Owner' },
  },
  HostnameInUse: {
    definition: 'Another object of the same account has the hostname.',
    title: 'You already use this domain',
    meaning: 'Another project of your account has the same domain, and only one can serve it.',
    todo: 'Remove it here or in the other project.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  PrepareUnavailable: {
    definition: 'The domain asks to be prepared before its switch, and this platform does not do that.',
    sentence: () =>
      'this platform cannot prepare a hostname before its switch; take prepare out, and the certificate follows the switch',
    title: 'Domains can’t be prepared here',
    meaning: 'This platform gets certificates only once a domain points here.',
    todo: 'Remove the domain and add it without preparing it.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  RedirectToSelf: {
    definition: 'The redirect leads to itself.',
    sentence: ({ hostname }: { readonly hostname: string }) => `${hostname} cannot redirect to itself`,
    title: 'This domain redirects to itself',
    meaning: 'Visitors would be redirected in a loop.',
    todo: 'Choose another domain of the project as the destination.',
    symptom: 'redirects-misbehave',
    step: { kind: 'change-destination', actor: 'Owner' },
  },
  RedirectToRedirect: {
    definition: "The redirect's destination is itself a redirect.",
    sentence: ({ to }: { readonly to: string }) => `${to} is itself a redirect; redirect straight to its destination`,
    title: 'The destination is a redirect itself',
    meaning: 'A redirect has to point straight to a domain that shows the project.',
    todo: 'Choose the final destination, usually the primary domain.',
    symptom: 'redirects-misbehave',
    step: { kind: 'change-destination', actor: 'Owner' },
  },
  RedirectToForeign: {
    definition: "The redirect's destination is not a hostname of the same project.",
    title: 'The destination is not a domain of this project',
    meaning: 'A redirect can only point to a domain of the same project or to its platform address.',
    todo: 'Add the destination to this project first, or choose another one.',
    symptom: 'redirects-misbehave',
    step: { kind: 'change-destination', actor: 'Owner' },
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;

/** The same of a text that is not a hostname which a customer may use. */
export const hostnameReasons = {
  InvalidHostname: {
    definition: 'The text is not a hostname in lower case A-labels.',
    title: 'This isn’t a domain name',
    meaning: 'It has characters or a form that domain names can’t have.',
    todo: 'Enter the domain as it appears in your browser, such as www.example.com.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  WildcardHostname: {
    definition: 'The hostname is a wildcard that cannot be served.',
    title: 'This wildcard can’t be used',
    meaning:
      'A wildcard stands for one label, such as *.example.com, isn’t a redirect, and not every platform offers any.',
    todo: 'Add each domain separately, such as www.example.com.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  IPLiteral: {
    definition: 'The text is an IP address.',
    title: 'This is an IP address, not a domain',
    meaning: 'Numbers such as 203.0.113.10 are the address of a server; a domain is a name.',
    todo: 'Enter a domain such as www.example.com.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  PublicSuffix: {
    definition: 'The hostname is a public suffix, which nobody owns.',
    title: 'This is a public suffix',
    meaning: 'Domains are registered under endings such as .com or .co.uk; the ending itself can’t be added.',
    todo: 'Enter a domain you own, such as example.co.uk.',
    step: { kind: 'remove', actor: 'Owner' },
  },
  PlatformHostname: {
    definition: "The hostname lies under one of the platform's own domains.",
    title: 'This domain belongs to the platform',
    meaning: 'Addresses under the platform’s own domain are assigned automatically.',
    todo: 'Enter a domain you own.',
    step: { kind: 'remove', actor: 'Owner' },
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;

export type HostnameCode = keyof typeof hostnameReasons;
