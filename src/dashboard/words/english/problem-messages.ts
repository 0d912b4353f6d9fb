/** What went wrong, beside what the table of problem codes says of each (src/rules/codes/problem-codes.ts). */
export const problemMessages = {
  'problem.label': 'What went wrong',
  'problem.back': 'Go to your projects',
  'problem.hint': 'Your browser’s Back button takes you to where you were.',
  'problem.quote': 'Code {code}, request {request}: quote both when you ask for help.',
  'problem.scope-missing-scope': 'Sign in with a key that is allowed to: {scope}.',
  'problem.cross-site-setting':
    'The dashboard has been given another address than the one in your browser. Tell whoever runs it: the setting is {setting}.',
  'problem.abnormal-usage-detected-until':
    'A program kept sending requests after it was told to wait. The key works again {at}.',
  'problem.no-project': 'We couldn’t find a project named “{name}”',
  'problem.no-domain': 'We couldn’t find {name} in this project',
  'problem.no-key': 'We couldn’t find the API key {name}',
  'problem.try-again': 'Try again',
  'again.moment': 'Wait a moment, then try again.',
  'again.seconds': { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  'again.minutes': { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },
  'again.at': 'Try again {at}.',
  'field.name': 'Choose a name of at most 64 characters.',
  'field.scopes': 'Choose at least one thing that the key may do.',
  'field.expiresAt': 'Choose a date in the future, or leave it empty.',
  'field.hostname': 'Enter a domain such as www.example.com.',
} as const;
