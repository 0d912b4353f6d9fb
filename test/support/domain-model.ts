import type { DomainModel } from '../../src/dashboard/view-models.ts';
import type { DomainView } from '../../src/use-cases/domain-view.ts';
import type { IssueView } from '../../src/use-cases/issue-view.ts';
import { issueView } from '../../src/use-cases/issue-view.ts';
import type { TimelineEntryView } from '../../src/use-cases/read-domains.ts';

/** What the page of a domain shows, for tests of views: a hostname whose records are missing. */

export const target = 'p-abc.cname.apps.example.net';

export const project = {
  name: 'shop',
  service: { name: 'shop-web', port: 80 },
  subdomain: 'shop',
  platformHostname: 'shop.apps.example.net',
  state: 'live' as const,
  reason: 'ready',
  message: 'the project is served',
  target,
  deployedAt: '2026-11-01T10:00:00Z',
};

export const domain = (over: Partial<DomainView> = {}): DomainView => ({
  hostname: 'www.example.com',
  project: 'shop',
  role: 'primary',
  redirect: null,
  prepare: false,
  labels: {},
  state: 'Unverified',
  reason: 'RecordMissing',
  message: 'no DNS record exists for www.example.com',
  records: [
    {
      purpose: 'Routing',
      type: 'CNAME',
      name: 'www',
      fqdn: 'www.example.com',
      value: target,
      ttl: 3600,
      status: 'Wrong',
      found: ['A 192.0.2.1'],
    },
    {
      purpose: 'Ownership',
      type: 'TXT',
      name: '_projectdomain-challenge.www',
      fqdn: '_projectdomain-challenge.www.example.com',
      value: 'projectdomain-verify=token',
      ttl: 3600,
      status: 'Missing',
      found: [],
    },
  ],
  checkedAt: '2026-11-20T08:20:00Z',
  issues: [],
  dnsHost: null,
  lingersUntil: null,
  nextCheckAt: null,
  checksEndAt: null,
  certificate: null,
  waits: null,
  createdAt: '2026-11-20T08:15:00Z',
  ...over,
});

export const entry = (over: Partial<TimelineEntryView> = {}): TimelineEntryView => ({
  at: '2026-11-20T08:15:00Z',
  kind: 'State',
  state: 'Unverified',
  reason: 'Waiting',
  code: null,
  severity: null,
  params: {},
  message: 'a message',
  ...over,
});

export const domainModel = (over: Partial<DomainView> = {}, more: Partial<DomainModel> = {}): DomainModel => ({
  project,
  domain: domain(over),
  timeline: [entry()],
  dnsHost: null,
  refusal: null,
  checksEnded: false,
  checkEveryMinutes: 15,
  isVerifyAhead: false,
  version: 7,
  choices: { primaries: [], primaryFollowers: [], canBePrimary: false, destinations: ['shop.apps.example.net'] },
  ...more,
});

/** An issue as the API shows it: an old address where the record should be. */
export const issue = (over: Partial<IssueView> = {}): IssueView => ({
  ...issueView({
    code: 'StrayAddress',
    message: 'a message',
    record: 'www.example.com. A 192.0.2.1',
    fix: 'a fix',
    act: 'ChangeRecords',
    params: { name: 'www.example.com', zone: 'example.com' },
    delete: [{ name: 'www', fqdn: 'www.example.com', type: 'A', value: '192.0.2.1' }],
    create: [{ name: 'www', fqdn: 'www.example.com', type: 'CNAME', value: target }],
    servers: [{ server: 'ns1.example.net', address: '192.0.2.53', answer: 'A 192.0.2.1' }],
  }),
  ...over,
});
