import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** What Kubernetes and an operator of the installation see of every program: its last line, and its exit status. */

const lib = join(import.meta.dirname, '../../../src/lib');
const moduleOf = (name: string): string => JSON.stringify(join(lib, name));

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly name: string; readonly message: string; readonly stack?: string };
}

/** Runs a program with this work, as a process of its own. Its timer stands for a server that nobody closed. */
function program(work: string, args: readonly string[] = []) {
  const script = `
    import { aborted } from ${moduleOf('clock.ts')};
    import { ConfigError } from ${moduleOf('config-file.ts')};
    import { configArgument, runProgram } from ${moduleOf('run-program.ts')};
    setInterval(() => undefined, 1_000);
    const tell = (name) => process.kill(process.pid, name);
    await runProgram('the tester', ${work});
    console.log('still there');`;
  const own = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, '--', ...args];
  const { LOG_LEVEL: _, ...env } = process.env;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, own, {
    encoding: 'utf8',
    env,
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  const lines = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  return { ended: signal ?? status, stdout, lines };
}

const untilStopped = 'await aborted(signal)';

/** Fails when a program outlives its work, is killed by a signal that should stop it, or gives another status. */
describe('a program ends', () => {
  it.each<[string, string, number]>([
    ['with 0 when its work is done, whatever still runs', 'async () => undefined', 0],
    ['with the status that its work gives', 'async () => 7', 7],
    ['with 0 after SIGTERM', `async (_, signal) => { tell('SIGTERM'); ${untilStopped}; }`, 0],
    ['with 0 after SIGINT', `async (_, signal) => { tell('SIGINT'); ${untilStopped}; }`, 0],
    [
      'when its work has stopped, however often it is told to',
      `async (_, signal) => { tell('SIGTERM'); ${untilStopped}; tell('SIGTERM'); await new Promise(setImmediate); return 7; }`,
      7,
    ],
    [
      'with 0 when its work throws after the signal: a start that was cut short is no failure',
      `async (_, signal) => { tell('SIGTERM'); ${untilStopped}; throw new Error('cut short'); }`,
      0,
    ],
  ])('%s', (_, work, status) => {
    expect(program(work)).toEqual({ ended: status, stdout: '', lines: [] });
  });
});

/** Fails when a failure is silent, loses its error, or is told apart wrongly: status 3 is what the runbook explains. */
describe('a program that cannot run says why', () => {
  it.each<[string, string, readonly string[], number, RegExp]>([
    ['a failure', "async () => { throw new Error('no way') }", [], 1, /^no way$/],
    ['a failure before anything is awaited', "() => { throw new Error('no way') }", [], 1, /^no way$/],
    ['a failure of the type that wrong arguments have', "() => { new URL('no way') }", [], 1, /^Invalid URL$/],
    ['an invalid configuration', "async () => { throw new ConfigError('a is missing') }", [], 3, /^a is missing$/],
    ['no configuration', "() => configArgument('tester')", [], 3, /^usage: tester --config FILE$/],
    [
      'an option that does not exist',
      "() => configArgument('tester')",
      ['--confg', 'f'],
      3,
      /^Unknown option '--confg'/,
    ],
    ['an option without its value', "() => configArgument('tester')", ['--config'], 3, /argument missing/],
    ['an argument too many', "() => configArgument('tester')", ['--config', 'f', 'g'], 3, /^Unexpected argument 'g'/],
  ])('%s', (_, work, args, status, why) => {
    const { ended, stdout, lines } = program(work, args);
    expect({ ended, stdout }).toEqual({ ended: status, stdout: '' });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'the tester cannot run',
        err: expect.objectContaining({ message: expect.stringMatching(why), stack: expect.any(String) }),
      }),
    ]);
  });
});

it('a program is given the path of its configuration', () => {
  const work = "async () => console.log(configArgument('tester'))";
  expect(program(work, ['--config', '/etc/tester.json']).stdout).toBe('/etc/tester.json\n');
});

/** Fails when nothing listens to the signal, which then ends the process, or when the level is not switched back. */
it('a program switches its log level by SIGUSR2', () => {
  const heard = "await new Promise((done) => { process.once('SIGUSR2', done); tell('SIGUSR2'); })";
  const { ended, lines } = program(`async ({ log }) => {
    log.debug({}, 'before'); ${heard}; log.debug({}, 'between'); ${heard}; log.debug({}, 'after');
  }`);
  const switched = 'the log level is switched';
  // The log is written in the background: lines that the end of the process finds on their way may change places.
  const said = lines.map(({ msg }) => msg).toSorted();
  expect({ ended, said }).toEqual({ ended: 0, said: ['between', switched, switched] });
});
