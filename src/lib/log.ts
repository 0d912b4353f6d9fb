import { AsyncLocalStorage } from 'node:async_hooks';
import type { DestinationStream } from 'pino';
import { pino } from 'pino';
import { serializeError } from './error-serializer.ts';
import { visibleJson } from './printable.ts';

/** The fields of a line. A thrown value is passed unchanged as `err`: the log writes its stack and causes. */
interface LogFields {
  readonly err?: unknown;
  /** an error's text alone has no stack: pass the error as `err` */
  readonly error?: never;
  readonly [field: string]: unknown;
}

/** Structured log lines. Never pass secrets. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Runs `work`; every line logged by it, or by anything that it starts without awaiting it, carries the fields. */
  within<T>(fields: LogFields, work: () => T): T;
}

/** The log of a process. */
export interface ProcessLog extends Log {
  /**
   * Switches the level to `debug`, and from there back to the one that the process was started with. Called on SIGUSR2:
   * on SIGUSR1, Node.js opens its debugger (nodejs.org/api/process.html, "Signal events").
   */
  toggleDebug(): void;
}

const defaultLevel = 'info';

/**
 * JSON lines on stderr, so that stdout stays free for a program's output. The level is one of pino's, from `trace` to
 * `silent`; `info` when none is given, or, with a warning, when the given one does not exist.
 */
export function createLog(
  wanted: string | undefined,
  destination: DestinationStream = pino.destination(2),
): ProcessLog {
  const asked = wanted?.toLowerCase() || defaultLevel;
  const known = asked === 'silent' || asked in pino.levels.values;
  const level = known ? asked : defaultLevel;
  const context = new AsyncLocalStorage<LogFields>();
  const lines = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino's serializers skip undefined, which can be thrown too: so errors are serialized before them.
      formatters: { log: (fields) => ('err' in fields ? { ...fields, err: serializeError(fields.err) } : fields) },
      serializers: { err: (serialized: unknown) => serialized },
      // pino modifies this object, so it is given a copy.
      // JSON escapes what a terminal obeys of ASCII alone.
      hooks: { streamWrite: visibleJson },
      mixin: () => ({ ...context.getStore() }),
    },
    destination,
  );
  if (!known) lines.warn({ wanted }, `unknown log level; using ${defaultLevel}`);
  return {
    debug: (fields, message) => lines.debug(fields, message),
    info: (fields, message) => lines.info(fields, message),
    warn: (fields, message) => lines.warn(fields, message),
    error: (fields, message) => lines.error(fields, message),
    within: (fields, work) => context.run({ ...context.getStore(), ...fields }, work),
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
