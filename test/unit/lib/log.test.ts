import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLog } from '../../../src/lib/log.ts';
import type { SerializedError } from '../../../src/lib/error-serializer.ts';

/** What a log line says of what was thrown: enough to find it, nothing that opens a door. */

const deep = (causes: number): Error => new Error(`cause ${causes}`, causes === 0 ? {} : { cause: deep(causes - 1) });

interface Line {
  readonly msg: string;
  readonly err: SerializedError;
  readonly requestId?: string;
  readonly part?: string;
}

/** What the log writes while `say` is at it. */
function linesOf(say: (log: ReturnType<typeof createLog>) => void): readonly Line[] {
  const lines: Line[] = [];
  say(createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Line) }));
  return lines;
}

const logged = (error: unknown): SerializedError =>
  linesOf((log) => log.warn({ err: error }, 'something failed'))[0]?.err as SerializedError;

describe('an error in the log', () => {
  it('has name, message, stack and causes', () => {
    const seen = logged(new TypeError('outer', { cause: new RangeError('inner') }));
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
    ['a hand-over link', 'GET https://app.example/dashboard/records/hunter2-hunter2 failed'],
  ])('hides %s, in message, stack and cause', (_, message) => {
    const seen = JSON.stringify(logged(new Error(message, { cause: new Error(message) })));
    expect(seen).toContain('[hidden]');
    expect(seen).not.toContain('hunter2');
  });

  it.each<[string, string, string]>([
    ['a password in a URL', 'redis://app:', 'hunter2hunter2@redis:6379'],
    ['a key of ours', 'p', 'd_hunter2_secretchecksum'],
  ])('hides %s wherever its text is cut', (_, before, after) => {
    for (let kept = 0; kept <= after.length; kept += 1) {
      const seen = logged(new Error(`${' '.repeat(4_000 - before.length - kept)}${before}${after} failed`));
      expect(JSON.stringify(seen)).not.toContain('hun');
    }
  });

  it('is bounded, however long its message and however many its causes', () => {
    expect(JSON.stringify(logged(new Error('x'.repeat(1_000_000)))).length).toBeLessThan(10_000);
    expect(JSON.stringify(logged(deep(1_000)))).not.toContain('cause 990"');
  });

  it('has those that failed together, bounded too', () => {
    const each = (count: number) => Array.from({ length: count }, (_, number) => new RangeError(`no ${number}`));
    const seen = logged(new Error('outer', { cause: new AggregateError(each(100)) })).cause;
    expect(seen?.errors?.map(({ name, message }) => `${name} ${message}`)).toEqual(
      [0, 1, 2, 3].map((n) => `RangeError no ${n}`),
    );
    expect(seen?.errors?.[0]?.stack).toContain('log.test.ts');
  });

  it('that lies about itself ends nobody', () => {
    const odd = Object.assign(new Error('odd'), { message: Object.create(null) as string, name: 7, stack: {} });
    expect(logged(odd)).toEqual({ name: '7', message: 'the thrown value has no text', stack: '[object Object]' });
  });

  it('whose cause cannot be read is told without it', () => {
    const odd = Object.defineProperty(new Error('odd'), 'cause', {
      get: () => {
        throw new Error('no cause');
      },
    });
    expect(logged(odd)).toEqual({ name: 'Error', message: 'odd', stack: expect.stringContaining('log.test.ts') });
  });

  it.each<[string, () => unknown]>([
    [
      'that contains itself',
      () => {
        const own = new AggregateError([], 'own');
        own.errors.push(own);
        return own;
      },
    ],
    ['whose errors are no list', () => Object.assign(new AggregateError([], 'odd'), { errors: 7 })],
    [
      'that is within ten thousand others',
      () => Array.from({ length: 10_000 }).reduce((inner: unknown) => new AggregateError([inner]), new Error('inner')),
    ],
    [
      'that is a proxy which throws',
      () =>
        new Proxy(new Error('odd'), {
          getPrototypeOf: () => {
            throw new Error('no prototype');
          },
        }),
    ],
  ])('%s is told in a short line', (_, thrown) => {
    expect(JSON.stringify(logged(thrown())).length).toBeLessThan(30_000);
  });

  it.each<[unknown, string, string]>([
    ['text', 'string', 'text'],
    [undefined, 'undefined', 'undefined'],
    [Object.create(null), 'object', 'the thrown value has no text'],
  ])('that is none (%j) is told all the same', (thrown, name, message) => {
    expect(logged(thrown)).toEqual({ name, message });
  });
});

describe('lines that are logged within something', () => {
  it('carry its fields and those of what is around it; their own come first, and afterwards there are none', () => {
    const lines = linesOf((log) => {
      log.within({ requestId: 'a', part: 'outer' }, () => {
        log.within({ part: 'inner' }, () => log.info({}, 'inside'));
        log.info({ part: 'own' }, 'around');
      });
      log.info({}, 'after');
    });
    expect(lines.map(({ msg, requestId, part }) => [msg, requestId, part])).toEqual([
      ['inside', 'a', 'inner'],
      ['around', 'a', 'own'],
      ['after', undefined, undefined],
    ]);
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
      ['unknown log level; using info', 'info', 'warn', 'error'],
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
