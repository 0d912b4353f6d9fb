import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outputOf } from '../../dev/lib/output.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { packCli } from '../../dev/pack/cli-package.ts';

/** The command line as its users get it: packed, and installed by npm into a place that knows nothing of this repository. */

const folder = temporaryFolder('packed');
const prefix = join(folder, 'prefix');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, ...args: readonly string[]) =>
  outputOf(join(prefix, 'bin', name), args, { cwd: folder, env: { PATH: process.env.PATH } });

beforeAll(async () => {
  mkdirSync(prefix);
  const tarball = await packCli(folder);
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  await outputOf('npm', ['install', '--global', '--prefix', prefix, ...options, tarball], { cwd: folder });
}, 300_000);

/** Fails when a module or a dependency is missing from the package, or TypeScript is left in it. */
describe('the packed command line', () => {
  it('says how it is used', async () => {
    expect(await call('projectdomain', '--help')).toMatch(/^usage: projectdomain <command>/);
  });

  it('calls itself as kubectl does where kubectl called it', async () => {
    expect(await call('kubectl-projectdomain', 'verify', '--help')).toMatch(/^usage: kubectl projectdomain verify /);
  });

  it('prints the description of the API that is in the repository', async () => {
    const ours = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
    expect(JSON.parse(await call('projectdomain', 'openapi'))).toEqual(JSON.parse(ours));
  });

  it('looks at DNS, and says so where there is none to ask', async () => {
    const target = 'p-aaaaaaaaaaaaaaaaaaaaaaaaaa.cname.apps.example.net';
    const asked = call('projectdomain', 'check', 'www.example.com', '--target', target, '--roots', '127.0.0.1:9');
    await expect(asked).rejects.toThrow('ended with status 2');
  });

  it('gets as far as the kubeconfig, and says that there is none', async () => {
    await expect(call('projectdomain', 'list', '-n', 'acme')).rejects.toThrow('there is no kubeconfig');
  });
});
