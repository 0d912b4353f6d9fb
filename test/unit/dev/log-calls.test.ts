import { beforeAll, describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';

/** Lint keeps an error's stack in the log: it refuses a call that logs an error's text alone. */

const rules: string = '../../../dev/lint/log-calls.mjs';
interface LogCalls {
  readonly restrictedLogCalls: readonly { readonly selector: string; readonly message: string }[];
}
let restrictedLogCalls: LogCalls['restrictedLogCalls'];
beforeAll(async () => {
  ({ restrictedLogCalls } = (await import(rules)) as LogCalls);
});
const linter = new Linter();
const found = (code: string): number =>
  linter.verify(code, { rules: { 'no-restricted-syntax': ['error', ...restrictedLogCalls] } }).length;

describe('a log call', () => {
  it.each<[string, string]>([
    ['an error as text', "log.warn({ err: String(error) }, 'lost');"],
    ['an error as text, under another name', "log.info({ reason: String(error) }, 'lost');"],
    ['an error as text, in the message', 'log.error({}, `lost: ${String(error)}`);'],
    ['the message of an error', "log.warn({ err: error.message }, 'lost');"],
    ['the message of an error if it is one', "log.debug({ reason: isOne ? error.message : null }, 'lost');"],
    ['the stack of an error', "log.warn({ stack: error.stack }, 'lost');"],
    ['an error by its toString', "log.warn({ reason: error.toString() }, 'lost');"],
    ['an error by the former name of its field', "log.warn({ error }, 'lost');"],
    ['an error as text, with the log of something', "run.log.warn({ err: String(error) }, 'lost');"],
    ['an error as text, with a log of another name', "auditLog.warn({ err: String(error) }, 'lost');"],
  ])('with %s is refused', (_, code) => {
    expect(found(code)).toBeGreaterThan(0);
  });

  it.each<[string, string]>([
    ['an error as it was thrown', "log.warn({ err: error, key: name }, 'lost');"],
    ['no error', "log.info({ startedInMs: Math.round(ms) }, 'ready');"],
  ])('with %s is fine', (_, code) => {
    expect(found(code)).toBe(0);
  });

  it.each<[string, string]>([
    ['an error as text', 'const text = String(error);'],
    ['an error as text, on the console', 'console.error(error.message);'],
  ])('is the only thing that this is about: %s elsewhere is fine', (_, code) => {
    expect(found(code)).toBe(0);
  });
});
