import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { ControlPlane } from '../../../dev/platform/control-plane.ts';
import { startControlPlane } from '../../../dev/platform/control-plane.ts';
import type { Kubectl } from '../../../dev/platform/kubectl.ts';
import { createKubectl } from '../../../dev/platform/kubectl.ts';
import { findTools } from '../../../dev/platform/tools.ts';

/** Every rule that one object can know about itself, accepted and refused by the real API server. */

let corner: Corner;
let controlPlane: ControlPlane;
let kubectl: Kubectl;
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-crds-'));
const deadlineMs = 120_000;

beforeAll(async () => {
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  corner = await takeCorner();
  controlPlane = await startControlPlane({ dir, tools, corner });
  kubectl = createKubectl(tools.kubectl, controlPlane.kubeconfig);
  await kubectl.run(['apply', '--server-side', '-f', join(import.meta.dirname, '../../../crds')]);
  await kubectl.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
}, deadlineMs);

afterAll(async () => {
  await controlPlane.stop();
  corner.release();
  rmSync(dir, { recursive: true, force: true });
}, deadlineMs);

const apiVersion = 'projectdomain.io/v1alpha1';
let count = 0;
const fresh = () => `t${(count += 1)}`;

interface Draft {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}

const create = (draft: Draft) => kubectl.run(['create', '-f', '-'], JSON.stringify({ apiVersion, ...draft }));
const replace = (draft: Draft) => kubectl.run(['replace', '-f', '-'], JSON.stringify({ apiVersion, ...draft }));

const domain = (spec: object, name = fresh()): Draft => ({
  kind: 'ProjectDomain',
  metadata: { name, namespace: 'default' },
  spec: { project: 'shop', hostname: 'www.example.com', ...spec },
});

describe('hostnames', () => {
  it.each([
    ['a plain hostname', 'www.example.com'],
    ['A-labels', 'xn--bcher-kva.example'],
    ['digits in labels', '1.2.example.com'],
    [
      '253 characters',
      `${'a'.repeat(49)}.${'b'.repeat(50)}.${'c'.repeat(50)}.${'d'.repeat(50)}.${'e'.repeat(38)}.example.com`,
    ],
    ['a public suffix: a condition will say so', 'co.uk'],
  ])('accepts %s', async (_, hostname) => {
    await expect(create(domain({ hostname }))).resolves.toContain('created');
  });

  it.each([
    ['upper case', 'WWW.example.com', 'lower case'],
    ['Unicode', 'bücher.example', 'A-label form'],
    ['a dot at the end', 'www.example.com.', 'without the dot'],
    ['an IPv4 literal', '192.0.2.1', 'IP address'],
    ['an IPv6 literal', '2001:db8::1', 'IP address'],
    ['a wildcard', '*.example.com', 'wildcards are not supported'],
    ['a single label', 'localhost', 'full hostname'],
    ['254 characters', `${'abcdefgh.'.repeat(28)}ab`, 'Too long'],
    ['a label of 64', `${'a'.repeat(64)}.example.com`, '63 characters'],
    ['two dots', 'www..example.com', 'single dots'],
    ["a hyphen at a label's end", 'www-.example.com', 'inner hyphens'],
    ['an underscore', 'a_b.example.com', 'letters, digits'],
    ['a path', 'example.com/x', 'letters, digits'],
    ['white space', 'example .com', 'letters, digits'],
  ])('refuses %s and says what to write', async (_, hostname, part) => {
    await expect(create(domain({ hostname }))).rejects.toThrow(part);
  });
});

describe('hostnames on the other door: project-level configuration', () => {
  const project = (domains: object): Draft => ({
    kind: 'Project',
    metadata: { name: fresh(), namespace: 'default' },
    spec: { service: { name: 'web', port: 80 }, domains },
  });

  it('accepts a primary and redirects', async () => {
    const domains = {
      primary: 'www.example.com',
      redirects: [{ from: 'example.com' }, { from: 'a.example.com', to: 'www.example.com', status: 308 }],
    };
    await expect(create(project(domains))).resolves.toContain('created');
  });

  it.each([
    'WWW.example.com',
    'bücher.example',
    'www.example.com.',
    '192.0.2.1',
    '*.example.com',
    'localhost',
    `${'abcdefgh.'.repeat(28)}ab`,
  ])('refuses %s as primary, as from and as to', async (hostname) => {
    for (const domains of [
      { primary: hostname },
      { redirects: [{ from: hostname }] },
      { redirects: [{ from: 'a.example.com', to: hostname }] },
    ]) {
      await expect(create(project(domains))).rejects.toThrow(/write a hostname|Too long/);
    }
  });

  it('refuses two redirects from one hostname', async () => {
    await expect(
      create(project({ redirects: [{ from: 'a.example.com' }, { from: 'a.example.com' }] })),
    ).rejects.toThrow('Duplicate');
  });
});

describe('roles and redirects', () => {
  it('the role is Primary unless it is said', async () => {
    const draft = domain({});
    await create(draft);
    expect(
      await kubectl.get<{ spec: { role: string } }>('projectdomain', draft.metadata.name, 'default'),
    ).toMatchObject({ spec: { role: 'Primary' } });
  });

  it('a redirect is 301 unless it is said', async () => {
    const draft = domain({ role: 'Redirect', redirect: { to: 'www.example.com' } });
    await create(draft);
    expect(await kubectl.get('projectdomain', draft.metadata.name, 'default')).toMatchObject({
      spec: { redirect: { status: 301 } },
    });
  });

  it.each([
    ['a Redirect without a destination', { role: 'Redirect' }, 'needs spec.redirect'],
    ['a Primary with one', { role: 'Primary', redirect: { to: 'www.example.com' } }, 'a Primary has none'],
    [
      'a status that is no redirect',
      { role: 'Redirect', redirect: { to: 'www.example.com', status: 303 } },
      'Unsupported value',
    ],
    ['an unknown role', { role: 'Alias' }, 'Unsupported value'],
  ])('refuses %s', async (_, spec, part) => {
    await expect(create(domain(spec))).rejects.toThrow(part);
  });

  it.each([
    ['the project', { project: 'other' }, 'spec.project cannot change'],
    ['the hostname', { hostname: 'other.example.com' }, 'spec.hostname cannot change'],
  ])('%s cannot change', async (_, change, part) => {
    const name = fresh();
    await create(domain({}, name));
    await expect(replace(domain(change, name))).rejects.toThrow(part);
  });

  it('the role may change', async () => {
    const name = fresh();
    await create(domain({}, name));
    await expect(replace(domain({ role: 'Redirect', redirect: { to: 'a.example.com' } }, name))).resolves.toContain(
      'replaced',
    );
  });
});

const limits = {
  rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 },
  customDomains: { enabled: true, maxPerProject: 0 },
};
const claimSpec = {
  account: '12345678',
  holder: { namespace: 'a', name: 'b' },
  phase: 'Held',
  epoch: 2,
  proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' },
};
const keySpec = { account: 'acme', scopes: ['domains:read'] };
const hash = 'a'.repeat(64);

describe('the other kinds', () => {
  it.each<[string, string, object]>([
    ['a plan', 'Plan', limits],
    ['an account', 'Account', { plan: 'pro', overrides: { rateLimit: { requestsPerMinute: 5 } } }],
    ['a claim', 'HostnameClaim', claimSpec],
    ['a key that the operator will make', 'ApiKey', keySpec],
    ['a key with id and hash', 'ApiKey', { ...keySpec, keyId: 'abcdefgh', sha256: hash }],
  ])('accepts %s', async (_, kind, spec) => {
    await expect(create({ kind, metadata: { name: fresh() }, spec })).resolves.toContain('created');
  });

  it.each<[string, string, object, string]>([
    [
      'a plan with a limit of zero',
      'Plan',
      { ...limits, rateLimit: { requestsPerMinute: 0, requestsPerDay: 1 } },
      'greater than or equal to 1',
    ],
    ['an account without a plan', 'Account', {}, 'spec.plan'],
    ['a claim of epoch zero', 'HostnameClaim', { ...claimSpec, epoch: 0 }, 'greater than or equal to 1'],
    ['a tombstone without its time', 'HostnameClaim', { ...claimSpec, phase: 'Tombstone' }, 'releasedAt'],
    ['a key with an id but no hash', 'ApiKey', { ...keySpec, keyId: 'abcdefgh' }, 'together'],
    ['a key without scopes', 'ApiKey', { ...keySpec, scopes: [] }, 'scopes'],
    ['an unknown scope', 'ApiKey', { ...keySpec, scopes: ['root'] }, 'Unsupported value'],
  ])('refuses %s', async (_, kind, spec, part) => {
    await expect(create({ kind, metadata: { name: fresh() }, spec })).rejects.toThrow(part);
  });

  it.each<[string, string, object, object, string]>([
    ["an account's id", 'Account', { plan: 'pro', id: '12345678' }, { plan: 'pro', id: '87654321' }, 'set once'],
    ["an account's id cannot be taken away", 'Account', { plan: 'pro', id: '12345678' }, { plan: 'pro' }, 'set once'],
    ["a claim's epoch cannot shrink", 'HostnameClaim', claimSpec, { ...claimSpec, epoch: 1 }, 'only grows'],
    [
      "a key's hash",
      'ApiKey',
      { ...keySpec, keyId: 'abcdefgh', sha256: hash },
      { ...keySpec, keyId: 'abcdefgh', sha256: 'b'.repeat(64) },
      'cannot change',
    ],
    ["a key's account", 'ApiKey', keySpec, { ...keySpec, account: 'other' }, 'cannot change'],
  ])('%s never changes', async (_, kind, before, after, part) => {
    const metadata = { name: fresh() };
    await create({ kind, metadata, spec: before });
    await expect(replace({ kind, metadata, spec: after })).rejects.toThrow(part);
  });

  it.each([
    ['shop', null],
    ['Shop', 'one DNS label'],
    ['a.b', 'one DNS label'],
    ['-a', 'one DNS label'],
  ])('a subdomain of %s is one DNS label or refused', async (subdomain, part) => {
    const draft = {
      kind: 'Project',
      metadata: { name: fresh(), namespace: 'default' },
      spec: { service: { name: 'web', port: 80 }, subdomain },
    };
    if (part === null) await expect(create(draft)).resolves.toContain('created');
    else await expect(create(draft)).rejects.toThrow(part);
  });
});
