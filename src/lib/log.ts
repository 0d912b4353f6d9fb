import { pino } from 'pino';

/** Structured log lines; `child` binds fields such as the kind and key of a reconcile. Never pass secrets. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

/** What a log line says of an error. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const causesAtMost = 4;
const charactersAtMost = 4_000;

/** Passwords in URLs, values after Bearer, and our own keys: an error may quote what it was given. */
const secrets = /(?<=:\/\/[^\s/@:]*:)[^\s/@]+(?=@)|(?<=\bBearer )[\w.~+/-]+=*|\bpd_\w+/gi;
const clean = (text: string): string => text.slice(0, charactersAtMost).replace(secrets, '[hidden]');

/** An error with its stack and its causes, bounded, secrets hidden; whatever else was thrown, as text. Never throws. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: clean(textOf(error)) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message: clean(message),
    ...(stack === undefined ? {} : { stack: clean(stack) }),
    ...(cause === undefined || depth >= causesAtMost ? {} : { cause: loggedError(cause, depth + 1) }),
  };
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'what was thrown has no text';
  }
}

const usualLevel = 'info';

/**
 * JSON lines on stderr, so that stdout stays free for what a program answers. The level is one of pino's, from `trace` to
 * `silent`; `info` where none is given or there is none of that name, which is said.
 */
export function createLog(wanted: string | undefined): Log {
  const asked = wanted?.toLowerCase() || usualLevel;
  const known = asked === 'silent' || asked in pino.levels.values;
  const level = known ? asked : usualLevel;
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
  if (!known) log.warn({ wanted }, `there is no such log level; it is ${usualLevel}`);
  return log;
}

export const silentLog: Log = Object.freeze({
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
});
