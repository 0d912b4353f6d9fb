import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Ended, eventually, expectThat } from '../../dev/lib/eventually.ts';
import { installedDeadlineMs } from '../support/installed.ts';

/** A node is a network, mounts, chains and processes: of all that nothing may be left on the machine. */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'projectdomain-leftovers-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = (program: string, ...args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';

/** What a machine has that a node could leave behind, and that other work on it does not change. */
const machine = (dir: string) => ({
  links: [...said('ip', '-o', 'link').matchAll(/^\d+: (projectdomain\d+|cni\w*|veth\w*)/gm)].map(([, name]) => name),
  routes: said('ip', 'route').match(/^10\.7[789]\..*$/gm) ?? [],
  mounts: readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(dir) || line.includes('/run/netns') || line.includes('kubelet')),
  chains: said('iptables-save').match(/^:(KUBE|CNI)\S*/gm) ?? [],
  processes: processesWith(dir),
});

const processesWith = (dir: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dir);
      } catch {
        return false;
      }
    });

/** Of one node alone: others come and go beside it. */
const controlGroups = (name: string) => said('find', '/sys/fs/cgroup', '-maxdepth', '2', '-name', name);

/** Returns the name of the node's control groups. */
async function withNode(name: string, end: (pid: number) => void): Promise<string> {
  const dir = join(folder, name);
  const before = machine(dir);
  const child = spawn(process.execPath, [join(root, 'dev/commands/platform.ts'), '--level', '2', '--dir', dir], {
    stdio: ['ignore', 'ignore', 2],
    cwd: root,
  });
  const ended = new Promise((done) => child.once('exit', done));
  await eventually('the platform is ready', 300_000, () => {
    if (child.exitCode !== null) throw new Ended(`the platform ended with status ${child.exitCode}`);
    expectThat(existsSync(join(dir, 'platform.json')), 'no platform.json');
    return Promise.resolve();
  });
  expect(machine(dir).links).not.toEqual(before.links);
  const { ingressAddress } = JSON.parse(readFileSync(join(dir, 'platform.json'), 'utf8')) as { ingressAddress: string };
  const groups = `projectdomain-${ingressAddress.split('.')[2]}`;
  expect(controlGroups(groups)).not.toBe('');
  end(child.pid ?? 0);
  await ended;
  await eventually('nothing is left', 20_000, () => {
    const after = machine(dir);
    expectThat(JSON.stringify(after) === JSON.stringify(before), JSON.stringify(after));
    return Promise.resolve();
  });
  return groups;
}

describe('a platform with a node', () => {
  it(
    'leaves nothing behind when it is told to stop',
    async () => {
      const groups = await withNode('told', (pid) => process.kill(pid, 'SIGTERM'));
      expect(existsSync(join(folder, 'told'))).toBe(false);
      expect(controlGroups(groups)).toBe('');
    },
    installedDeadlineMs,
  );

  it(
    'leaves no process, mount, link or chain when it is killed',
    async () => void (await withNode('killed', (pid) => process.kill(pid, 'SIGKILL'))),
    installedDeadlineMs,
  );
});
