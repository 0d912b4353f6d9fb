/** The message of an error, or its name when it has none; any other thrown value as text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
