/** The pages on the way to a domain: signing in, the list of projects, and help around its chapters. */
export const entryMessages = {
  // signing in, and why somebody is asked to sign in again
  'sign-in.title': 'Sign in',
  'sign-in.lead': 'Sign in with an API key of your account to manage your domains.',
  'sign-in.key': 'API key',
  'sign-in.hint': 'It begins with {prefix}. You stay signed in for up to 12 hours; the key itself isn’t kept.',
  'sign-in.submit': 'Sign in',
  'sign-in.no-key': 'Don’t have a key?',
  'sign-in.ask':
    'Ask whoever set up your account on {platform}. Once you’re signed in, you can create more under “API keys”.',
  'sign-in.missing': 'Enter an API key. It begins with pd_.',
  'sign-in.malformed': 'That API key isn’t valid. Check that you copied all of it.',
  'sign-in.unknown': 'This API key no longer works. It may have been deleted: sign in with another one.',
  'sign-in.expired': 'This API key expired {at}. Sign in with another one.',
  'sign-in.not-ready': 'The account of this API key is still being set up. Try again in a few minutes.',
  'sign-in.banned':
    'This API key is banned until {at}, because a program kept sending requests after it was told to wait. Sign in with another one.',
  'sign-in.session-ended': 'Your session has ended. Sign in again.',
  'sign-in.signed-out': 'You’re signed out. Sign in to continue.',

  // the list of an account's projects
  'projects.title': 'Projects',
  'projects.lead': 'Choose a project to see its domains or to add one.',
  'projects.none': 'No projects yet',
  'projects.none-detail':
    'Publish a project on {platform} the way you usually do, or create one with {call}. It then appears here, and you can add a domain to it.',
  'projects.address-pending': 'Its platform address is being set up.',
  'projects.address-refused': 'It is not online at its platform address: {why}.',
  'projects.no-domains': 'No custom domains yet',
  'projects.domains': { one: '{count} custom domain', other: '{count} custom domains' },
  'projects.not-live': '{count} not live',
  'projects.all-live': 'all live',
  'projects.not-deployed': 'Not published yet. Publish it once, then you can add domains.',

  // the help page around its chapters
  'help.title': 'Help',
  'help.contents': 'On this page',
  'help.question': 'What do you see?',
  'help.causes': 'Why it happens',
  'help.look': 'What to look at',
  'help.steps': 'What to do',
  'help.codes': 'What the codes mean',
  'help.codes-of': 'Codes: {chapter}',
  'help.column-code': 'Shown as',
  'help.column-todo': 'What to do',
  'help.more': 'Still stuck? Contact {support} and quote the domain and the code.',
} as const;
