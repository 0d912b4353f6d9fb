import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { PlatformFacts } from '../../../dev/platform/platform.ts';

/** `npm run platform` as other programs use it: side by side, and leaving nothing behind however it ends. */

const root = join(import.meta.dirname, '../../..');
const deadlineMs = 240_000;
const started: { child: ChildProcess; dir: string }[] = [];

afterEach(() => {
  for (const { child, dir } of started.splice(0)) {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
});

function npmRunPlatform() {
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-npm-'));
  const child = spawn('npm', ['run', '-s', 'platform', '--', '--dir', dir], { cwd: root, stdio: 'ignore' });
  started.push({ child, dir });
  return { child, dir };
}

const facts = (dir: string): PlatformFacts =>
  JSON.parse(readFileSync(join(dir, 'platform.json'), 'utf8')) as PlatformFacts;

const ready = (dir: string) =>
  eventually('platform.json', deadlineMs / 2, () => {
    expectThat(existsSync(join(dir, 'platform.json')), 'not there yet');
    return Promise.resolve(facts(dir));
  });

/** Processes whose command line or configuration names the folder. */
function processesOf(dir: string): readonly { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(dir) ? [{ pid: Number(entry), command }] : [];
      } catch {
        return [];
      }
    });
}

const nothingRuns = (dir: string) =>
  eventually(`nothing of ${dir} runs`, 30_000, () => {
    const left = processesOf(dir);
    expectThat(left.length === 0, left.map(({ command }) => command).join('\n'));
    return Promise.resolve();
  });

describe('npm run platform', () => {
  it(
    'two run side by side; one ends by SIGTERM to npm, the other by SIGKILL, and neither leaves anything running',
    async () => {
      const [one, two] = [npmRunPlatform(), npmRunPlatform()];
      const [first, second] = await Promise.all([ready(one.dir), ready(two.dir)]);
      expect(Object.keys(first).toSorted()).toEqual([
        'acmeRoot',
        'apiKey',
        'apiUrl',
        'authorizeUrl',
        'cnameDomain',
        'dnsControl',
        'dnsServer',
        'ingressAddress',
        'kubeconfig',
        'kubectl',
        'metricsUrls',
        'platformDomain',
        'redisUrl',
        'secondAddress',
      ]);
      expect(first.ingressAddress).not.toBe(second.ingressAddress);
      expect(
        (await fetch(`${first.dnsControl}/zones/example.com`, { method: 'PUT', body: 'www A 192.0.2.1' })).status,
      ).toBe(204);
      const wrong = await fetch(`${first.dnsControl}/zones/example.com`, { method: 'PUT', body: '\nwww A nonsense' });
      expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('line 2')]);

      one.child.kill('SIGTERM');
      await nothingRuns(one.dir);
      expect(readdirSync(one.dir)).toEqual([]);

      const platform = processesOf(two.dir).find(({ command }) => command.includes('dev/commands/platform.ts'));
      process.kill(platform?.pid ?? 0, 'SIGKILL');
      await nothingRuns(two.dir);
    },
    deadlineMs,
  );

  it('without --dir it says how to call it', async () => {
    const child = spawn('npm', ['run', '-s', 'platform'], { cwd: root });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, err]).toEqual([3, expect.stringContaining('usage: npm run platform -- --dir DIR')]);
  });
});
