/** An error as it appears in a log line. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
  /** the first errors of an AggregateError, such as one for each IP family that was tried */
  readonly errors?: readonly SerializedError[];
}

const causesAtMost = 4;
const errorsAtMost = 4;
const charactersAtMost = 4_000;

/** Passwords in URLs, bearer tokens, and our own API keys: an error may quote its input. */
const secrets = /(?<=:\/\/[^\s/@:]*:)[^\s/@]+(?=@)|(?<=\bBearer )[\w.~+/-]+=*|\bpd_\w+/gi;
const clean = (text: string): string => text.slice(0, charactersAtMost).replace(secrets, '[hidden]');

/**
 * An error with its stack and causes, limited in size, secrets hidden; any other thrown value as text. Never throws.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { name: typeof error, message: clean(textOf(error)) };
  const { name, message, stack, cause } = error;
  return {
    name: clean(textOf(name)),
    message: clean(textOf(message)),
    ...(stack === undefined ? {} : { stack: clean(textOf(stack)) }),
    ...(cause === undefined || depth >= causesAtMost ? {} : { cause: serializeError(cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: firstOf(error) } : {}),
  };
}

/** Without their causes, to limit the size of a log line. */
const firstOf = ({ errors }: AggregateError): readonly SerializedError[] =>
  errors.slice(0, errorsAtMost).map((error) => serializeError(error, causesAtMost));

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'the thrown value has no text';
  }
}
