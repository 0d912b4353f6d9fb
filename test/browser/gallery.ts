import { createHash } from 'node:crypto';
import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { issue } from '../../src/dns/verdict/dns-issue.ts';
import type { DnsIssue, DnsRecordRef } from '../../src/dns/verdict/dns-verdict.ts';
import type { RecordStatus } from '../../src/rules/desired-records.ts';
import { api } from './setup.ts';

/** A domain in every state, as the operator would write it; hung up while no operator runs. */

const target = 'p-k3v5aaaaaaaaaaaaaaaaaaaaaa.cname.apps.example.net';
const at = '2026-03-01T09:30:00Z';
const long = 'stray.a-rather-long-name-for-a-shop-that-sells-everything';

interface Picture {
  readonly name: string;
  readonly hostname: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string;
  readonly redirect?: boolean;
  readonly certified?: boolean;
  readonly issues?: readonly DnsIssue[];
  readonly record?: { readonly status: RecordStatus; readonly found: readonly string[] };
}

/** A record of example.com. */
const ref = (name: string, type: DnsRecordRef['type'], value: string): DnsRecordRef => ({
  name,
  fqdn: name === '@' ? 'example.com' : `${name}.example.com`,
  type,
  value,
});

const missing = (name: string): DnsIssue =>
  issue('RecordMissing', { name: `${name}.example.com` }, { create: [ref(name, 'CNAME', target)] });

export const gallery: readonly Picture[] = [
  {
    name: 'live',
    hostname: 'www.example.com',
    state: 'Live',
    reason: 'Ready',
    message: '',
    certified: true,
    issues: [
      issue(
        'SomeServersSilent',
        { zone: 'example.com' },
        {
          severity: 'Warning',
          act: 'AskAboutSilence',
          servers: [{ server: 'ns2.example.com', address: '192.0.2.2', answer: 'did not answer' }],
        },
      ),
    ],
  },
  {
    name: 'pending',
    hostname: 'second.example.com',
    state: 'Pending',
    reason: 'PrimaryExists',
    message: 'the project has a primary domain, www.example.com; make this one a redirect, or remove the other',
  },
  {
    name: 'waiting',
    hostname: 'missing.example.com',
    state: 'Unverified',
    reason: 'RecordMissing',
    message: 'nothing stands at missing.example.com',
    issues: [missing('missing')],
    record: { status: 'Missing', found: [] },
  },
  {
    name: 'wrong-record',
    hostname: `${long}.example.com`,
    state: 'Unverified',
    reason: 'StrayAddress',
    message: 'an address that is not the platform’s stands at the name',
    issues: [
      issue(
        'StrayAddress',
        { name: `${long}.example.com` },
        { delete: [ref(long, 'A', '198.51.100.7')], create: [ref(long, 'CNAME', target)] },
      ),
    ],
    record: { status: 'Wrong', found: ['A 198.51.100.7'] },
  },
  {
    name: 'caa',
    hostname: 'caa.example.com',
    state: 'Verified',
    reason: 'CAAForbids',
    message: 'a CAA record of example.com names other authorities',
    redirect: true,
    issues: [
      issue(
        'CaaForbidsAuthority',
        { name: 'example.com', authority: 'letsencrypt.org' },
        {
          found: [ref('@', 'CAA', '0 issue "somebody-else.example"')],
          create: [ref('@', 'CAA', '0 issue "letsencrypt.org"')],
        },
      ),
    ],
  },
  {
    name: 'issuing',
    hostname: 'issuing.example.com',
    state: 'Verified',
    reason: 'Issuing',
    message: 'the certificate is being issued',
    redirect: true,
  },
  {
    name: 'overdue',
    hostname: 'overdue.example.com',
    state: 'Verified',
    reason: 'IssuanceOverdue',
    message: 'no certificate after 30 minutes: the certificate is being issued; Verify makes a new attempt',
    redirect: true,
  },
  {
    name: 'degraded',
    hostname: 'degraded.example.com',
    state: 'Degraded',
    reason: 'RecordMissing',
    message: 'nothing stands at degraded.example.com',
    redirect: true,
    certified: true,
    issues: [missing('degraded')],
    record: { status: 'Missing', found: [] },
  },
  {
    name: 'suspended',
    hostname: 'suspended.example.com',
    state: 'Suspended',
    reason: 'Withdrawn',
    message: 'DNS led elsewhere for seven days',
    redirect: true,
    certified: true,
    issues: [
      issue(
        'WrongTarget',
        { name: 'suspended.example.com' },
        {
          delete: [ref('suspended', 'CNAME', 'shops.elsewhere.example')],
          create: [ref('suspended', 'CNAME', target)],
        },
      ),
    ],
    record: { status: 'Wrong', found: ['CNAME shops.elsewhere.example'] },
  },
];

const found = { status: 'Found', found: [`CNAME ${target}`] } as const;

const statusOf = ({ state, reason, message, issues = [], certified, record = found }: Picture, hostname: string) => ({
  state,
  issues: issues.map((each) => ({ ...each, since: at })),
  records: [
    {
      purpose: 'Routing',
      type: 'CNAME',
      name: hostname.split('.')[0],
      fqdn: hostname,
      value: target,
      ttl: 3600,
      ...record,
    },
  ],
  ...(certified ? { certificate: { name: 'pd-1', notAfter: '2026-05-30T09:30:00Z' } } : {}),
  check: { startedAt: at, checkedAt: at, zone: 'example.com' },
  timeline: [
    { at: '2026-03-01T09:00:00Z', state: 'Unverified', reason: 'Waiting', message: 'we check DNS automatically' },
    { at, state, reason, message },
  ],
  conditions: [{ type: 'Ready', status: state === 'Live' ? 'True' : 'False', reason, message, lastTransitionTime: at }],
});

const keys = [
  { id: 'expired000000000', expiresAt: '2026-01-31T23:59:59Z', status: {} },
  { id: 'banned0000000000', expiresAt: undefined, status: { bannedUntil: '2126-11-21T15:04:00Z' } },
];

/** A key that expired and one that is banned. */
async function hangKeys(kubectl: Kubectl, account: string): Promise<void> {
  for (const { id, expiresAt, status } of keys) {
    const sha256 = createHash('sha256').update(id).digest('hex');
    const spec = { account, keyId: id, sha256, scopes: ['domains:read'], ...(expiresAt ? { expiresAt } : {}) };
    await kubectl.apply({ apiVersion: api, kind: 'ApiKey', metadata: { name: id, namespace: account }, spec });
    const patch = JSON.stringify({ status });
    await kubectl.run(['patch', 'apikey', id, '-n', account, '--subresource=status', '--type=merge', '-p', patch]);
  }
}

/** Puts every picture of the gallery into the account's project `shop`. */
export async function hang(kubectl: Kubectl, namespace: string): Promise<void> {
  await hangKeys(kubectl, namespace);
  await kubectl.apply(
    ...gallery.map(({ hostname, redirect }) => ({
      apiVersion: api,
      kind: 'ProjectDomain',
      metadata: { name: hostname, namespace },
      spec: {
        project: 'shop',
        hostname,
        ...(redirect ? { role: 'Redirect', redirect: { to: 'www.example.com' } } : {}),
      },
    })),
  );
  for (const picture of gallery) {
    const patch = JSON.stringify({ status: statusOf(picture, picture.hostname) });
    const where = ['projectdomain', picture.hostname, '-n', namespace];
    await kubectl.run(['patch', ...where, '--subresource=status', '--type=merge', '-p', patch]);
    await eventually(`${picture.hostname} hangs`, 10_000, async () => {
      const state = await kubectl.run(['get', ...where, '-o', 'jsonpath={.status.state}']);
      expectThat(state === picture.state, state);
    });
  }
}
