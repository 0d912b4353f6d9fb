const logCall =
  'CallExpression[callee.property.name=/^(debug|info|warn|error)$/]:matches([callee.object.name=/[lL]og$/], [callee.object.property.name=/[lL]og$/])';

/** What a log call does not do to an error: its text alone has neither stack nor causes, and hides no secrets. */
export const restrictedLogCalls = [
  [`${logCall} CallExpression[callee.name='String']`, 'text of an error'],
  [`${logCall} MemberExpression[property.name=/^(message|stack)$/]`, 'text of an error'],
  [`${logCall} CallExpression[callee.property.name='toString']`, 'text of an error'],
  [`${logCall} Property[key.name='error']`, 'the field `error`'],
].map(([selector, what]) => ({ selector, message: `a log call has no ${what}: log.warn({ err: error }, '…')` }));
