import { AsyncLocalStorage } from 'node:async_hooks';
import type { DestinationStream } from 'pino';
import { pino } from 'pino';
import { serializeError } from './error-serializer.ts';

/** What a line says beside its message. What was thrown is `err`, as it was thrown: the log writes its stack and causes. */
interface LogFields {
  readonly err?: unknown;
  /** an error's text alone has no stack: give the error as `err` */
  readonly error?: never;
  readonly [field: string]: unknown;
}

/** Structured log lines. Never pass secrets. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Does the work; every line that is logged during it, also by what it starts and does not wait for, carries the fields. */
  within<T>(fields: LogFields, work: () => T): T;
}

/** The log of a process. */
export interface ProcessLog extends Log {
  /**
   * Changes the level to `debug`, and from there back to the one that the process was started with. Called on SIGUSR2:
   * SIGUSR1 is taken by Node.js, which opens its debugger (nodejs.org/api/process.html, "Signal events").
   */
  toggleDebug(): void;
}

const usualLevel = 'info';

/**
 * JSON lines on stderr, so that stdout stays free for what a program answers. The level is one of pino's, from `trace` to
 * `silent`; `info` where none is given or there is none of that name, which is said.
 */
export function createLog(
  wanted: string | undefined,
  destination: DestinationStream = pino.destination(2),
): ProcessLog {
  const asked = wanted?.toLowerCase() || usualLevel;
  const known = asked === 'silent' || asked in pino.levels.values;
  const level = known ? asked : usualLevel;
  const surroundings = new AsyncLocalStorage<LogFields>();
  const lines = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino's serializers leave out what is undefined, and that can be thrown too: so it is done before them.
      formatters: { log: (fields) => ('err' in fields ? { ...fields, err: serializeError(fields.err) } : fields) },
      serializers: { err: (serialized: unknown) => serialized },
      // pino writes into what it is given here.
      mixin: () => ({ ...surroundings.getStore() }),
    },
    destination,
  );
  if (!known) lines.warn({ wanted }, `there is no such log level; it is ${usualLevel}`);
  return {
    debug: (fields, message) => lines.debug(fields, message),
    info: (fields, message) => lines.info(fields, message),
    warn: (fields, message) => lines.warn(fields, message),
    error: (fields, message) => lines.error(fields, message),
    within: (fields, work) => surroundings.run({ ...surroundings.getStore(), ...fields }, work),
    toggleDebug() {
      const next = lines.level === level ? 'debug' : level;
      if (next === 'debug') lines.level = next;
      lines.info({ logLevel: next }, 'the log level is switched');
      lines.level = next;
    },
  };
}

export const silentLog: Log = Object.freeze({
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  within: <T>(_: LogFields, work: () => T) => work(),
});
