/** What a log line says of an error. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
  /** of several that failed together, the first ones (AggregateError: an address of each family was tried) */
  readonly errors?: readonly SerializedError[];
}

const causesAtMost = 4;
const errorsAtMost = 4;
const charactersAtMost = 4_000;

/** Passwords in URLs, values after Bearer, and our own keys: an error may quote what it was given. */
const secrets = /(?<=:\/\/[^\s/@:]*:)[^\s/@]+(?=@)|(?<=\bBearer )[\w.~+/-]+=*|\bpd_\w+/gi;
const clean = (text: string): string => text.slice(0, charactersAtMost).replace(secrets, '[hidden]');

/** An error with its stack and its causes, bounded, secrets hidden; whatever else was thrown, as text. Never throws. */
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

/** Without causes of their own, so that what is logged stays bounded. */
const firstOf = ({ errors }: AggregateError): readonly SerializedError[] =>
  errors.slice(0, errorsAtMost).map((error) => serializeError(error, causesAtMost));

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'what was thrown has no text';
  }
}
