/** What was asked for cannot be done, or did not come; the message is one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'Failure';
}

/** The user called it wrongly; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
