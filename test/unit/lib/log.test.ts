import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loggedError } from '../../../src/lib/log.ts';

/** What a log line says of what was thrown: enough to find it, nothing that opens a door. */

const deep = (causes: number): Error => new Error(`cause ${causes}`, causes === 0 ? {} : { cause: deep(causes - 1) });

describe('an error in the log', () => {
  it('has name, message, stack and causes', () => {
    const seen = loggedError(new TypeError('outer', { cause: new RangeError('inner') }));
    expect(seen).toMatchObject({
      name: 'TypeError',
      message: 'outer',
      cause: { name: 'RangeError', message: 'inner' },
    });
    expect(seen.stack).toContain('log.test.ts');
    expect(seen.cause?.stack).toContain('log.test.ts');
  });

  it.each<[string, string]>([
    ['a password in a URL', 'connect redis://app:hunter2@redis:6379 failed'],
    ['a bearer token', 'sent Authorization: Bearer hunter2.abc-def~/+== and lost'],
    ['a key of ours', 'no key pd_hunter2_secretchecksum'],
  ])('hides %s, in message, stack and cause', (_, message) => {
    const seen = JSON.stringify(loggedError(new Error(message, { cause: new Error(message) })));
    expect(seen).toContain('[hidden]');
    expect(seen).not.toContain('hunter2');
  });

  it('is bounded, however long its message and however many its causes', () => {
    expect(JSON.stringify(loggedError(new Error('x'.repeat(1_000_000)))).length).toBeLessThan(10_000);
    expect(JSON.stringify(loggedError(deep(1_000)))).not.toContain('cause 990"');
  });

  it.each<[unknown, string, string]>([
    ['text', 'string', 'text'],
    [undefined, 'undefined', 'undefined'],
    [Object.create(null), 'object', 'what was thrown has no text'],
  ])('that is none (%j) is told all the same', (thrown, name, message) => {
    expect(loggedError(thrown)).toEqual({ name, message });
  });
});

describe('the level of the log', () => {
  const module = join(import.meta.dirname, '../../../src/lib/log.ts');
  const script = `
    const { createLog } = await import(${JSON.stringify(module)});
    const log = createLog(process.env.LOG_LEVEL);
    for (const level of ['debug', 'info', 'warn', 'error']) log[level]({}, level);`;

  it.each<[string, string | undefined, readonly string[]]>([
    ['is info where none is given', undefined, ['info', 'warn', 'error']],
    ['is info where nothing is given', '', ['info', 'warn', 'error']],
    ['is the one that is given', 'debug', ['debug', 'info', 'warn', 'error']],
    ['may be given in capitals', 'ERROR', ['error']],
    ['may be nothing at all', 'silent', []],
    [
      'is info where there is none of that name, and says so',
      'chatty',
      ['there is no such log level; it is info', 'info', 'warn', 'error'],
    ],
  ])('%s', (_, level, wanted) => {
    const { LOG_LEVEL: _level, ...env } = process.env;
    const { stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
      {
        encoding: 'utf8',
        env: level === undefined ? env : { ...env, LOG_LEVEL: level },
      },
    );
    const said = stderr.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]));
    expect(said).toEqual(wanted);
  });
});
