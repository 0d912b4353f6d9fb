import { issue } from '../../src/dns/verdict/dns-issue.ts';
import type { DnsIssue, DnsRecordRef } from '../../src/dns/verdict/dns-verdict.ts';
import type { DomainState } from '../../src/rules/domain-state.ts';
import type { RecordStatus } from '../../src/rules/desired-records.ts';
import type { TimelineEntry } from '../../src/rules/timeline.ts';

/** A domain in every status, each with a past as the operator would have written it. */

/** Milliseconds. */
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
export const primary = 'www.example.com';
export const authority = 'letsencrypt.org';

/** What happened, with how long ago; the last one says what is now. */
export type Past = readonly (readonly [ago: number, kind: keyof typeof told])[];

export interface PicturedDomain {
  readonly name: string;
  readonly hostname: string;
  readonly state: DomainState;
  readonly reason: string;
  readonly past: Past;
  readonly checkedAgo: number;
  readonly isPrimary?: true;
  /** how long ago the certificate that is served was issued */
  readonly certifiedAgo?: number;
  readonly found?: { readonly status: RecordStatus; readonly found: readonly string[] };
  readonly issues?: (target: string) => readonly DnsIssue[];
  readonly nameServers?: readonly string[];
  /** until when caches keep the former answer, from now */
  readonly lingersFor?: number;
}

export const told = {
  waiting: { kind: 'State', state: 'Unverified', reason: 'Waiting' },
  blocked: { kind: 'State', state: 'Pending', reason: 'PrimaryExists' },
  missing: { kind: 'Finding', state: 'Unverified', reason: 'Appeared', code: 'RecordMissing' },
  lost: { kind: 'Finding', state: 'Degraded', reason: 'Appeared', code: 'RecordMissing' },
  stray: { kind: 'Finding', state: 'Unverified', reason: 'Appeared', code: 'StrayAddress' },
  elsewhere: { kind: 'Finding', state: 'Degraded', reason: 'Appeared', code: 'WrongTarget' },
  mended: { kind: 'Finding', state: 'Unverified', reason: 'Gone', code: 'StrayAddress' },
  verified: { kind: 'State', state: 'Verified', reason: 'Issuing' },
  caa: { kind: 'State', state: 'Verified', reason: 'CAAForbids' },
  forbidden: { kind: 'Finding', state: 'Verified', reason: 'Appeared', code: 'CaaForbidsAuthority' },
  late: { kind: 'State', state: 'Verified', reason: 'IssuanceOverdue' },
  ordered: { kind: 'Order', state: 'Verified', reason: 'Ordered' },
  issued: { kind: 'Certificate', state: 'Verified', reason: 'Issued' },
  live: { kind: 'State', state: 'Live', reason: 'Routed' },
  degraded: { kind: 'State', state: 'Degraded', reason: 'RecordMissing' },
  led: { kind: 'State', state: 'Degraded', reason: 'WrongTarget' },
  suspended: { kind: 'State', state: 'Suspended', reason: 'Withdrawn' },
} as const satisfies Readonly<Record<string, Partial<TimelineEntry>>>;

/** From nothing to Live, so long ago. */
const becameLive = (ago: number): Past => [
  [ago, 'waiting'],
  [ago - 8 * minute, 'verified'],
  [ago - 8 * minute, 'ordered'],
  [ago - 8 * minute - 6 * second, 'issued'],
  [ago - 8 * minute - 12 * second, 'live'],
];

const ref = (hostname: string, type: DnsRecordRef['type'], value: string): DnsRecordRef => ({
  name: hostname === 'example.com' ? '@' : hostname.replace('.example.com', ''),
  fqdn: hostname,
  type,
  value,
});
const nothingAt = (hostname: string) => (target: string) => [
  issue('RecordMissing', { name: hostname }, { create: [ref(hostname, 'CNAME', target)] }),
];

export const picturedDomains: readonly PicturedDomain[] = [
  {
    name: 'live',
    hostname: primary,
    state: 'Live',
    reason: 'Routed',
    isPrimary: true,
    past: becameLive(40 * day),
    checkedAgo: 4 * minute,
    certifiedAgo: 40 * day - 8 * minute - 6 * second,
  },
  {
    name: 'caches',
    hostname: 'moved.example.com',
    state: 'Live',
    reason: 'Routed',
    past: [
      [hour, 'waiting'],
      [hour - 5 * second, 'stray'],
      [6 * minute, 'mended'],
      ...becameLive(14 * minute).slice(1),
    ],
    checkedAgo: 6 * minute,
    certifiedAgo: 6 * minute - 6 * second,
    lingersFor: 54 * minute,
  },
  {
    name: 'waiting',
    hostname: 'new.example.com',
    state: 'Unverified',
    reason: 'RecordMissing',
    past: [
      [3 * minute, 'waiting'],
      [3 * minute - 2 * second, 'missing'],
    ],
    checkedAgo: 2 * second,
    found: { status: 'Missing', found: [] },
    issues: nothingAt('new.example.com'),
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  },
  {
    name: 'wrong-record',
    hostname: 'shop.example.com',
    state: 'Unverified',
    reason: 'StrayAddress',
    past: [
      [9 * minute, 'waiting'],
      [9 * minute - 2 * second, 'stray'],
    ],
    checkedAgo: 3 * second,
    found: { status: 'Wrong', found: ['A 198.51.100.7'] },
    issues: (target) => [
      issue(
        'StrayAddress',
        { name: 'shop.example.com', zone: 'example.com' },
        { delete: [ref('shop.example.com', 'A', '198.51.100.7')], create: [ref('shop.example.com', 'CNAME', target)] },
      ),
    ],
  },
  {
    name: 'pending',
    hostname: 'second.example.com',
    state: 'Pending',
    reason: 'PrimaryExists',
    isPrimary: true,
    past: [[2 * hour, 'blocked']],
    checkedAgo: 0,
  },
  {
    name: 'caa',
    hostname: 'secure.example.com',
    state: 'Verified',
    reason: 'CAAForbids',
    past: [
      [20 * minute, 'waiting'],
      [15 * minute, 'caa'],
      [15 * minute, 'forbidden'],
    ],
    checkedAgo: 20 * second,
    issues: () => [
      issue(
        'CaaForbidsAuthority',
        { name: 'example.com', authority },
        { create: [ref('example.com', 'CAA', `0 issue "${authority}"`)] },
      ),
    ],
  },
  {
    name: 'issuing',
    hostname: 'blog.example.com',
    state: 'Verified',
    reason: 'Issuing',
    past: [
      [4 * minute, 'waiting'],
      [25 * second, 'verified'],
      [25 * second, 'ordered'],
    ],
    checkedAgo: 25 * second,
  },
  {
    name: 'overdue',
    hostname: 'news.example.com',
    state: 'Verified',
    reason: 'IssuanceOverdue',
    past: [
      [50 * minute, 'waiting'],
      [45 * minute, 'verified'],
      [45 * minute, 'ordered'],
      [15 * minute, 'late'],
    ],
    checkedAgo: 4 * minute,
  },
  {
    name: 'at-risk',
    hostname: 'store.example.com',
    state: 'Degraded',
    reason: 'RecordMissing',
    past: [...becameLive(30 * day), [2 * hour, 'degraded'], [2 * hour, 'lost']],
    checkedAgo: 3 * minute,
    certifiedAgo: 30 * day - 9 * minute,
    found: { status: 'Missing', found: [] },
    issues: nothingAt('store.example.com'),
  },
  {
    name: 'offline',
    hostname: 'old.example.com',
    state: 'Suspended',
    reason: 'Withdrawn',
    past: [...becameLive(60 * day), [9 * day, 'led'], [9 * day, 'elsewhere'], [2 * day, 'suspended']],
    checkedAgo: 5 * minute,
    certifiedAgo: 60 * day - 9 * minute,
    found: { status: 'Wrong', found: ['CNAME shops.elsewhere.example'] },
    issues: (target) => [
      issue(
        'WrongTarget',
        { name: 'old.example.com' },
        {
          delete: [ref('old.example.com', 'CNAME', 'shops.elsewhere.example')],
          create: [ref('old.example.com', 'CNAME', target)],
        },
      ),
    ],
  },
  {
    name: 'apex',
    hostname: 'example.com',
    state: 'Unverified',
    reason: 'RecordMissing',
    past: [
      [5 * minute, 'waiting'],
      [5 * minute - 2 * second, 'missing'],
    ],
    checkedAgo: 4 * second,
    found: { status: 'Missing', found: [] },
    issues: (target) => [
      issue(
        'RecordMissing',
        { name: 'example.com', addresses: '203.0.113.10, 2001:db8::10' },
        { create: [ref('example.com', 'ALIAS', target)] },
      ),
    ],
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  },
];
