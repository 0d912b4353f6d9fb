import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const helper = join(import.meta.dirname, '../../../dev/lib/or-end.ts');

/** A command that cannot go on without `work`. */
function command(work: string) {
  const script = `import { orEnd } from ${JSON.stringify(helper)}; console.log(await orEnd(${work})); console.log('on');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** Fails when what is missing is told by a stack of calls, or when a fault of ours loses where it happened. */
describe('a command that cannot go on', () => {
  it('says why in one sentence and ends with 1', () => {
    const ran = command("Promise.reject(new Error('Go is missing'))");
    expect(ran).toEqual({ status: 1, stdout: '', stderr: 'Go is missing' });
  });

  it('says where it fell when the fault is ours', () => {
    const ran = command('Promise.reject(new TypeError("x is not a function"))');
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^TypeError: x is not a function\n +at /);
  });

  it('goes on with what it waited for when it came', () => {
    expect(command("Promise.resolve('tools')")).toEqual({ status: 0, stdout: 'tools\non', stderr: '' });
  });
});
