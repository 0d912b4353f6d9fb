import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { run as check } from '../../../src/cli/check/check-command.ts';
import { setupOfHostname } from '../../../src/cli/check/check-arguments.ts';
import { checkOptions } from '../../../src/cli/check/check-options.ts';
import { CommandFailure, UsageError } from '../../../src/cli/usage-errors.ts';
import { operatorConfig } from '../../support/process-configs.ts';

/** What the doctor makes of its command line; nothing here asks DNS or a cluster. */

const target = 'p-mine.cname.apps.example.net';
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-check-'));
const file = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const config = file('config.json', JSON.stringify({ ...operatorConfig, requireTxt: true }));

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const planFor = (...args: readonly string[]) =>
  setupOfHostname('www.example.com', target, checkOptions(['www.example.com', '--target', target, ...args]).values);

describe('options that contradict each other are said to', () => {
  it.each<[string, readonly string[], string]>([
    [
      'a root beside a configuration',
      ['--target', target, '--config', config, '--roots', '192.0.2.1'],
      'leave out --roots',
    ],
    [
      'an authority beside a configuration',
      ['--target', target, '--config', config, '--ca', 'ca.test'],
      'leave out --ca',
    ],
    ['a namespace beside a target', ['--target', target, '-n', 'acme'], 'leave out --target'],
    ['a TXT without a target', ['--txt', 'x'], '--target is missing'],
    ['a resolver without a target', ['--resolver', '192.0.2.1'], 'or leave out --resolver'],
    ['a TXT that is required and not given', ['--target', target, '--txt-required'], 'needs --txt'],
  ])('%s', async (_, args, sentence) => {
    const refused = check(['www.example.com', ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });

  it.each<[string, () => string, string]>([
    ['is not there', () => join(dir, 'none.json'), 'none.json'],
    ['is no JSON', () => file('text.json', 'platformDomain: x'), 'text.json'],
    ['lacks a setting', () => file('short.json', '{}'), 'platformDomain is missing'],
    [
      'names a root that is none',
      () => file('root.json', JSON.stringify({ ...operatorConfig, roots: ['x'] })),
      "'x' is not",
    ],
  ])('a configuration that %s', async (_, path, sentence) => {
    const failed = check(['www.example.com', '--target', target, '--config', path()]);
    await expect(failed).rejects.toThrow(CommandFailure);
    await expect(failed).rejects.toThrow(sentence);
  });
});

describe('what is expected of DNS', () => {
  it('with a configuration is what it says, and what it does not say is noted', () => {
    const { wanted, checker, notes } = planFor('--config', config);
    expect(wanted).toMatchObject({
      platformDomains: ['apps.example.net', 'cname.apps.example.net'],
      platformAddresses: ['192.0.2.1'],
      txt: null,
      txtRequired: true,
      ca: { domains: ['letsencrypt.org'], accountUri: null, method: 'http-01', caaProfile: 'boulder' },
    });
    expect(checker.roots).toHaveLength(13);
    expect(checker.resolvers).toEqual([{ address: '127.0.0.1', port: 53 }]);
    expect(notes).toEqual([
      expect.stringContaining('give it with --txt'),
      expect.stringContaining('the ACME account of ClusterIssuer letsencrypt is unknown'),
    ]);
  });

  it('without one takes the platform’s domain to be above a CNAME domain of the usual form', () => {
    expect(planFor().wanted.platformDomains).toEqual(['apps.example.net', 'cname.apps.example.net']);
    const other = setupOfHostname('www.example.com', 'p-x.targets.example.net', {});
    expect(other.wanted.platformDomains).toEqual(['targets.example.net', 'targets.example.net']);
  });

  it('without an authority says nothing of CAA, and with one means validation over HTTP unless another is given', () => {
    expect(planFor().wanted.ca).toBeNull();
    expect(planFor('--ca', 'ca.test').wanted.ca).toMatchObject({ method: 'http-01', accountUri: null });
    expect(planFor('--ca', 'ca.test', '--method', 'dns-01').wanted.ca).toMatchObject({ method: 'dns-01' });
  });
});
