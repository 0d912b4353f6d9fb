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

/** Passwords in URLs, bearer tokens, our own API keys and hand-over links: an error may quote its input. */
const secrets =
  /(?<=:\/\/[^\s/@:]*:)[^\s/@]+(?=@)|(?<=\bBearer )[\w.~+/-]+=*|\bpd_\w+|(?<=\/dashboard\/records\/)[^\s/?#'"]+/gi;
/** Secrets are hidden before the text is cut: of a URL without its end, the password could not be told. */
const clean = (text: string): string => text.replace(secrets, '[hidden]').slice(0, charactersAtMost);

/**
 * An error with its stack and causes, limited in size, secrets hidden; any other thrown value as text. Never throws.
 */
export function serializeError(error: unknown): SerializedError {
  return serializeWithin(error, 0);
}

function serializeWithin(error: unknown, depth: number): SerializedError {
  try {
    if (!(error instanceof Error)) return { name: typeof error, message: clean(textOf(error)) };
    const [stack, cause] = [read(error, 'stack'), read(error, 'cause')];
    return {
      name: clean(textOf(read(error, 'name'))),
      message: clean(textOf(read(error, 'message'))),
      ...(stack === undefined ? {} : { stack: clean(textOf(stack)) }),
      ...(cause === undefined || depth >= causesAtMost ? {} : { cause: serializeWithin(cause, depth + 1) }),
      ...(error instanceof AggregateError && depth < causesAtMost ? { errors: firstOf(error) } : {}),
    };
  } catch {
    return { name: typeof error, message: 'the thrown value cannot be read' };
  }
}

/** Without their causes and errors, to limit the size of a log line. */
const firstOf = ({ errors }: AggregateError): readonly SerializedError[] =>
  errors.slice(0, errorsAtMost).map((error) => serializeWithin(error, causesAtMost));

/** A property that may be a getter; undefined when it throws. */
function read(error: Error, property: 'name' | 'message' | 'stack' | 'cause'): unknown {
  try {
    return error[property];
  } catch {
    return undefined;
  }
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'the thrown value has no text';
  }
}

/** The message of an error, or its name when it has none; any other thrown value as text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
