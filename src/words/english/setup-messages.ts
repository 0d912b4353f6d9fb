/** The page of several domains that are set up together. */
export const setupMessages = {
  'setup.title': { one: 'Set up {count} domain', other: 'Set up {count} domains' },
  'setup.domains': 'Where they are',
  'setup.change': {
    one: 'Make the change below where your DNS is managed, then select {button}.',
    other: 'Make the {count} changes below where your DNS is managed, then select {button}.',
  },
  'setup.live': 'Nothing to do: all of them are live.',
  'setup.waiting': 'Nothing to change in DNS. What each of them waits for is below, and on its own page.',
  'setup.verify': 'Verify all',
  'setup.redirect': 'Redirect to {to}',
  'setup.both': 'See what to do for this domain and {other} on one page',
  'setup.gone': '{hostname} is no domain of this project.',
  'setup.records': 'Records of all of them',
  'setup.more': 'What exactly was found of a domain, and what else can be done with it, is on its own page.',
} as const;
