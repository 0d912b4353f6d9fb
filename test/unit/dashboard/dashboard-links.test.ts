import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPage, PageRequest } from '../../../src/dashboard/dashboard-page.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { pageRequest, shown } from '../../support/page-request.ts';

/** Whoever follows every link of the dashboard from its first page; and where the links and forms there lead. */

type Route = Pick<DashboardPage, 'method' | 'path' | 'name'>;

/** What the dashboard serves beside its pages. */
const others: readonly Route[] = [
  { method: 'post', path: '/sign-out', name: 'dashboardSignOut' },
  { method: 'get', path: '/assets/:hash/:name', name: 'asset' },
];

interface Lead {
  readonly method: string;
  /** path and query, without the fragment */
  readonly url: string;
}

const prefix = '/dashboard';

/** Links, and addresses that forms and their buttons send to; of the dashboard itself only. */
function leadsIn(html: string): readonly Lead[] {
  const tags = [...html.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
  const valueOf = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const leads = tags.flatMap((tag) => [
    { method: 'get', url: valueOf(tag, 'href') ?? valueOf(tag, 'src') },
    { method: 'get', url: valueOf(tag, 'data-live') },
    { method: valueOf(tag, 'method') ?? 'get', url: valueOf(tag, 'action') },
    { method: 'post', url: valueOf(tag, 'formaction') },
  ]);
  return leads.flatMap(({ method, url = '' }) => {
    const [address = ''] = url.replaceAll('&amp;', '&').split('#');
    return address.startsWith(prefix) ? [{ method, url: address }] : [];
  });
}

type Status = NonNullable<ProjectDomain['status']>;

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

/** The route of an address with its path parameters; null where the dashboard answers 404. */
function routed<Known extends Route>(known: readonly Known[], { method, url }: Lead) {
  const { pathname, searchParams } = new URL(url, 'https://dashboard.example');
  const path = pathname.slice(prefix.length);
  for (const route of known) {
    const match = route.method === method ? patternOf(route.path).exec(path) : null;
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return {
      route,
      params: Object.fromEntries(params) as Record<string, string>,
      query: Object.fromEntries(searchParams) as Record<string, string>,
    };
  }
  return null;
}

const primary = (hostname: string): ProjectDomain['spec'] => ({ project: 'shop', hostname, role: 'Primary' });
const redirect = (hostname: string, to: string): ProjectDomain['spec'] => ({
  project: 'shop',
  hostname,
  role: 'Redirect',
  redirect: { to },
});

function summary(state: 'Live' | 'Degraded' | 'Pending' | 'Unverified' | 'Suspended', reason: string): Status {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { state, conditions: [{ type: 'Ready', status: 'False', reason, message: 'm', lastTransitionTime }] };
}

/** A project with a domain for each entry of the menus, and enough of them to be searched and filtered. */
function populated() {
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  const put = (spec: ProjectDomain['spec'], status: Status) => api.domain('acme', spec.hostname, { spec, status });
  put(primary('www.example.com'), summary('Live', 'Routed'));
  put(redirect('example.com', 'www.example.com'), summary('Live', 'Routed'));
  put(redirect('waits.example.com', 'www.example.com'), summary('Unverified', 'RecordMissing'));
  put(primary('second.example.com'), summary('Pending', 'PrimaryExists'));
  put(redirect('self.example.com', 'self.example.com'), summary('Pending', 'RedirectToSelf'));
  put(primary('off.example.com'), summary('Suspended', 'Withdrawn'));
  put(primary('planless.example.com'), summary('Pending', 'PlanUpgradeRequired'));
  put(primary('served.example.com'), summary('Degraded', 'PrimaryExists'));
  put(primary('ended.example.com'), summary('Degraded', 'OwnCertificateEnded'));
  return { api, key };
}

let leads: ReadonlyMap<string, Lead>;
let reached: ReadonlySet<string>;

/** Forms whose answer is a page with forms of its own. */
const sent: readonly (readonly [string, PageRequest['form']])[] = [
  ['dashboardBulkPlan', { act: 'remove', hostname: ['example.com', 'off.example.com'] }],
  ['dashboardCreateLink', { days: '7' }],
  ['dashboardCheck', { hostname: 'new.example.com', role: 'primary' }],
];

/** Opens every page that a link leads to, once for each address; streams are not opened. */
beforeAll(async () => {
  const { api, key } = populated();
  const found = new Map<string, Lead>([['get /dashboard/projects', { method: 'get', url: '/dashboard/projects' }]]);
  const opened = new Set<string>();
  const params = { project: 'shop', hostname: 'www.example.com' };
  for (const [name, form] of sent) {
    const page = pages.find((one) => one.name === name);
    const { html } = page ? await shown(page, pageRequest(api, key, { params, form })) : { html: '' };
    for (const next of leadsIn(html)) found.set(`${next.method} ${next.url}`, next);
  }
  // A map goes on over what is added meanwhile.
  for (const lead of found.values()) {
    const match = lead.method === 'get' ? routed(pages, lead) : null;
    if (!match) continue;
    opened.add(match.route.name);
    if (match.route.name === 'dashboardEvents') continue;
    const { html } = await shown(match.route, pageRequest(api, key, { params: match.params, query: match.query }));
    for (const next of leadsIn(html)) found.set(`${next.method} ${next.url}`, next);
  }
  api.stop();
  leads = found;
  reached = opened;
});

describe('the links of the dashboard', () => {
  it('lead to what it serves, and so do its forms', () => {
    const known = [...pages, ...others];
    expect([...leads].filter(([, lead]) => !routed(known, lead)).map(([name]) => name)).toEqual([]);
  });

  it('reach every page that is there to be read', () => {
    const addressesOfForms = pages.map(({ name }) => name).filter((name) => name.endsWith('Address'));
    const unreached = pages.filter(({ method, name }) => method === 'get' && !reached.has(name));
    expect(unreached.map(({ name }) => name)).toEqual(addressesOfForms);
  });

  it.each(['', '/preview', '/look', '/check', '/bulk', '/bulk/confirm'])(
    'lead back to the project from domains%s, the address of a form',
    async (rest) => {
      const { api, key } = populated();
      const lead = { method: 'get', url: `/dashboard/projects/shop/domains${rest}` };
      const match = routed(pages, lead);
      if (!match) throw new Error('there is no such page');
      const { to } = await shown(match.route, pageRequest(api, key, { params: match.params }));
      api.stop();
      expect(to).toBe('/dashboard/projects/shop');
    },
  );

  it('have a form for every action but those of the script', () => {
    const sentTo = new Set([...leads.values()].map((lead) => routed(pages, lead)?.route.name));
    const unsent = pages.filter(({ method, name }) => method === 'post' && !sentTo.has(name));
    expect(unsent.map(({ name }) => name)).toEqual(['dashboardPreview', 'dashboardLook']);
  });
});
