/** The user called it wrongly; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
