import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import type { DomainState } from '../../src/rules/domain-state.ts';
import type { InMemoryApi } from './in-memory-api.ts';

/** A domain's page in memory, in any state that the operator could have written. */

type Status = NonNullable<ProjectDomain['status']>;
export type CaseIssue = NonNullable<Status['issues']>[number];

export interface PageCase {
  readonly hostname?: string;
  readonly state: DomainState;
  readonly reason: string;
  readonly issues?: readonly CaseIssue[];
  readonly lingersUntil?: string;
  /** a primary domain of project `shop` by default */
  readonly spec?: ProjectDomain['spec'];
}

/** Labels of 62 characters and fewer below example.com, so many characters in all. */
export function longHostname(length: 228 | 253): string {
  const labels = Array.from({ length: 4 }, (_, index) => String.fromCodePoint(97 + index).repeat(62));
  return `${labels
    .join('.')
    .slice(0, length - '.example.com'.length)
    .replace(/\.$/, 'z')}.example.com`;
}

const at = '2026-11-20T08:15:00Z';
const later = '2027-01-20T08:15:00Z';

const condition = (state: DomainState, reason: string) => {
  const status = state === 'Live' || state === 'Degraded' ? ('True' as const) : ('False' as const);
  return { type: 'Ready', status, reason, message: 'a message', lastTransitionTime: at };
};

/** Puts the domain of account acme into the state. */
export function putCase(api: InMemoryApi, one: PageCase): void {
  const { hostname = 'www.example.com', state, reason, issues = [], lingersUntil = later, spec } = one;
  const status: Status = {
    state,
    conditions: [condition(state, reason)],
    issues,
    check: { checkedAt: at, routing: 'Yes', zone: 'example.com', nameServers: ['ns1.example.net'], lingersUntil },
    timeline: [{ at, state, reason, message: 'a message' }],
    certificate: state === 'Live' ? { notAfter: later } : {},
  };
  api.domain('acme', hostname, { status, ...(spec && { spec }) });
}

const record = (type: string, value: string) => ({ name: 'www', fqdn: 'www.example.com', type, value });

/** An address that blocks www.example.com, unless it is said otherwise. */
export const caseIssue = (over: Partial<CaseIssue> = {}): CaseIssue => ({
  code: 'StrayAddress',
  message: 'an address is in the way',
  record: 'www.example.com. A 192.0.2.1',
  fix: 'delete it',
  act: 'ChangeRecords',
  actor: 'Owner',
  params: { name: 'www.example.com', zone: 'example.com', addresses: '192.0.2.9, 2001:db8::9' },
  delete: [record('A', '192.0.2.1'), record('AAAA', '2001:db8::1')],
  create: [record('CNAME', 'p-abc.cname.apps.example.net')],
  servers: [{ server: 'ns1.example.net', address: '192.0.2.53', answer: 'A 192.0.2.1' }],
  since: at,
  ...over,
});

/** An issue of a CAA record that has to be created. */
export const caaIssue = (): CaseIssue =>
  caseIssue({ code: 'CaaForbidsAuthority', delete: [], create: [record('CAA', '0 issue "ca.example"')] });
