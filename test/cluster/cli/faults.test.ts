import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import type { Ran } from './command-line.ts';
import { run, start } from './command-line.ts';

/** What goes wrong on the way to a cluster, and what is said of it: one sentence, exit status 1, nothing on stdout. */

interface Kubeconfig {
  readonly clusters: { readonly name: string; readonly cluster: Record<string, unknown> }[];
  readonly users: { readonly name: string; readonly user: Record<string, unknown> }[];
  readonly contexts: { readonly name: string; readonly context: Record<string, unknown> }[];
  readonly 'current-context'?: string;
}

let controlPlane: TestControlPlane;
let dir: string;
let admin: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-cli-'));
  controlPlane = await startTestControlPlane();
  admin = controlPlane.kubeconfigFor({ commonName: 'cli', organizations: ['system:masters'] });
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await controlPlane.stop();
  rmSync(dir, { recursive: true, force: true });
}, controlPlaneDeadlineMs);

/** The administrator's kubeconfig, changed. */
function changed(name: string, change: (config: Kubeconfig) => object): string {
  const path = join(dir, name);
  writeFileSync(path, stringify(change(parse(readFileSync(admin, 'utf8')) as Kubeconfig)));
  return path;
}

const withCluster = (name: string, cluster: Record<string, unknown>) =>
  changed(name, (config) => ({
    ...config,
    clusters: config.clusters.map((entry) => ({ ...entry, cluster: { ...entry.cluster, ...cluster } })),
  }));

function expectSentence(ran: Ran, part: string | RegExp): void {
  expect(ran).toMatchObject({ status: 1, out: '' });
  expect(ran.err).toMatch(part);
  expect(ran.err.trim().split('\n')).toHaveLength(1);
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the kubeconfig', () => {
  it('is missing', async () => {
    expectSentence(await run(['list']), 'there is no kubeconfig: $KUBECONFIG is not set');
    expectSentence(await run(['list'], { KUBECONFIG: '/nonexistent/a' }), '$KUBECONFIG names /nonexistent/a');
    expectSentence(await run(['list', '--kubeconfig', '/nonexistent/b']), 'there is no kubeconfig /nonexistent/b');
  });

  it('is none', async () => {
    const path = join(dir, 'broken');
    writeFileSync(path, '{');
    expectSentence(await run(['list', '--kubeconfig', path]), 'is not a kubeconfig');
  });

  it('has no such context, and the nearest is given', async () => {
    const path = changed('contexts', (config) => ({
      ...config,
      contexts: [{ ...config.contexts[0], name: 'production' }],
      'current-context': 'production',
    }));
    const ran = await run(['list', '--kubeconfig', path, '--context', 'prodution']);
    expectSentence(ran, 'no context prodution: there are production. Did you mean production?');
  });

  it('has no current context', async () => {
    const path = changed('no-context', ({ 'current-context': _, ...config }) => config);
    expectSentence(await run(['list', '--kubeconfig', path]), 'give one with --context: there are ');
  });

  it("gives the namespace of the context that is chosen, which --namespace overrules, and $KUBECONFIG's files are one", async () => {
    const inOther = changed('other', (config) => ({
      ...config,
      contexts: config.contexts.map((entry) => ({
        name: 'other',
        context: { ...entry.context, namespace: 'elsewhere' },
      })),
      'current-context': 'other',
    }));
    const env = { KUBECONFIG: `/nonexistent/c:${admin}:${inOther}` };
    const said = async (...args: readonly string[]) => (await run(['list', ...args], env)).err;
    expect(await said()).toBe('There are no domains in namespace default.\n');
    expect(await said('--context', 'other')).toBe('There are no domains in namespace elsewhere.\n');
    expect(await said('--context', 'other', '-n', 'third')).toBe('There are no domains in namespace third.\n');
  });
});

describe('the API server', () => {
  it('does not listen', async () => {
    const server = `https://127.0.0.1:${await closedPort()}`;
    const ran = await run(['list', '--kubeconfig', withCluster('refused', { server })]);
    expectSentence(ran, `nothing listens at ${server}`);
  });

  it('shows a certificate that is not trusted', async () => {
    const path = changed('untrusted', (config) => ({
      ...config,
      clusters: config.clusters.map(({ name, cluster }) => ({ name, cluster: { server: cluster.server } })),
    }));
    expectSentence(await run(['list', '--kubeconfig', path]), /does not trust \([A-Z_]+\)/);
  });

  it('does not accept the credentials', async () => {
    const path = changed('unauthorized', (config) => ({
      ...config,
      users: config.users.map(({ name }) => ({ name, user: { token: 'wrong' } })),
    }));
    expectSentence(await run(['list', '--kubeconfig', path]), 'does not accept the credentials of context');
  });

  it.each([
    ['list', ['list', '-n', 'acme'], "'list' on projectdomains.projectdomain.io in namespace acme"],
    ['list -A', ['list', '-A'], "'list' on projectdomains.projectdomain.io in the whole cluster"],
    ['keys list', ['keys', 'list'], "'list' on apikeys.projectdomain.io in the whole cluster"],
    ['keys create', ['keys', 'create', '--account=acme'], "'get' on accounts.projectdomain.io in the whole cluster"],
  ])('forbids %s, and the right that is missing is named', async (_, args, right) => {
    const kubeconfig = controlPlane.kubeconfigFor({ commonName: 'nobody' });
    expectSentence(await run([...args, '--kubeconfig', kubeconfig]), `nobody lacks the right ${right}`);
  });

  it('forbids what only changes: the missing verb is named, and nothing is waited for', async () => {
    const { kubectl, kubeconfigFor } = controlPlane;
    await kubectl.run(['create', 'namespace', 'acme']);
    await kubectl.apply({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'mine', namespace: 'acme' },
      spec: { project: 'shop', hostname: 'mine.example.com' },
    });
    await kubectl.run([
      ...['create', 'role', 'looker', '-n', 'acme', '--verb=get,list'],
      '--resource=projectdomains.projectdomain.io',
    ]);
    await kubectl.run(['create', 'rolebinding', 'looker', '-n', 'acme', '--role=looker', '--user=looker']);
    const kubeconfig = kubeconfigFor({ commonName: 'looker' });
    const here = ['-n', 'acme', '--kubeconfig', kubeconfig];
    expectSentence(await run(['verify', 'mine', ...here]), "looker lacks the right 'patch' on projectdomains");
    const waited = await run(['wait', 'mine', '--for=Live', '--timeout=40s', ...here]);
    expect(waited).toMatchObject({ status: 1, out: '' });
    expect(waited.err).toContain("looker lacks the right 'watch' on projectdomains");
  });

  it('does not know our kinds', async () => {
    const { kubectl } = controlPlane;
    await kubectl.run(['delete', 'crd', 'projectdomains.projectdomain.io', '--wait', '--timeout=90s']);
    expectSentence(await run(['list', '--kubeconfig', admin]), 'install the CRDs of projectdomain first');
  });
});

describe('the name it is called by', () => {
  it('is what its usage says', async () => {
    const plugin = join(dir, 'kubectl-projectdomain');
    symlinkSync(join(import.meta.dirname, '../../../dev/projectdomain.mjs'), plugin);
    const usage = async (...args: readonly string[]) => (await start(args, {}, plugin).ended).out;
    expect(await usage('wait', '--help')).toMatch(/^usage: kubectl projectdomain wait NAME /);
    expect(await usage('keys', '-h')).toContain('\n       kubectl projectdomain keys delete');
    expect((await run(['--help'])).out).toMatch(/^usage: projectdomain <command>/);
  });

  it.each([
    ['no command', [], 'a command is missing'],
    ['a command that does not exist', ['frobnicate'], "there is no command 'frobnicate'"],
    ['an option before the command', ['-n', 'acme', 'list'], 'write the command before its options'],
    ['a name that every object has', ['constructor'], "there is no command 'constructor'"],
  ])('has 3 for %s, with the usage on stderr', async (_, args, sentence) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ status: 3, out: '' });
    expect(ran.err).toContain(`${sentence}\n\nusage: projectdomain <command>`);
  });
});
