import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { timestamp } from '../../src/rules/conditions.ts';
import { desiredRecords } from '../../src/rules/desired-records.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import type { Past, PicturedDomain } from './pictured-domains.ts';
import { authority, picturedDomains, primary, told } from './pictured-domains.ts';

type Status = NonNullable<ProjectDomain['status']>;

/** Milliseconds. */
const [second, day] = [1_000, 86_400_000] as const;
const zone = 'example.com';
const accountId = 'id-of-acme';
const cloudflare = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];

/** Puts every domain into the account's project `shop`. Resolves to the project's target. */
export function hang(api: InMemoryApi): string {
  const { records } = api.dependencies.settings;
  const target = records.target({ accountId, name: 'shop' });
  const now = Date.now();
  for (const one of picturedDomains) {
    const ownership = records.ownership({ accountId, hostname: one.hostname, epoch: 1 });
    hangOne(api, one, { now, target, ownership });
  }
  return target;
}

interface Values {
  readonly now: number;
  readonly target: string;
  readonly ownership: string;
}

function hangOne(api: InMemoryApi, one: PicturedDomain, values: Values): void {
  const { hostname, isPrimary, past } = one;
  const place = { name: hostname, namespace: 'acme' };
  const [[added] = [0]] = past;
  const role = isPrimary ? { role: 'Primary' } : { role: 'Redirect', redirect: { to: primary } };
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { ...place, creationTimestamp: timestamp(values.now - added - 2 * second) },
    spec: { project: 'shop', hostname, ...role },
    status: statusOf(one, values),
  });
  if (one.state === 'Pending' || one.state === 'Unverified') return;
  const { uid } = api.stores.domains.get(place)?.metadata ?? {};
  const held = {
    phase: 'Held',
    epoch: 1,
    account: accountId,
    hostname,
    holder: { ...place, uid },
    proof: { at: timestamp(values.now - added) },
  };
  api.put({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'HostnameClaim', metadata: { name: hostname }, spec: held });
}

function statusOf(one: PicturedDomain, values: Values): Status {
  const { hostname, state, reason, past, certifiedAgo } = one;
  const { target, ownership } = values;
  const { found = { status: 'Found' as const, found: [`CNAME ${target}`] } } = one;
  const at = (ago: number) => timestamp(values.now - ago);
  const since = at(past.at(-1)?.[0] ?? 0);
  const txt = hostname === zone ? ownership : null;
  const condition = (type: string, is: boolean, why: string) => ({
    ...{ type, status: is ? ('True' as const) : ('False' as const), reason: why, message: '' },
    lastTransitionTime: since,
  });
  return {
    state,
    conditions: [
      condition('Ready', state === 'Live', reason),
      condition('Accepted', state !== 'Pending', state === 'Pending' ? reason : 'Accepted'),
    ],
    issues: issuesOf(one, target).map((each) => ({ ...each, since })),
    records: desiredRecords({ hostname, zone, target, txt }).map((record) => ({ ...record, ...found })),
    certificate: certifiedAgo === undefined ? {} : { notAfter: at(certifiedAgo - 90 * day) },
    ...(state === 'Pending' ? {} : { check: checkOf(one, values) }),
    timeline: past.map((event) => entryOf(one, event, at)),
  };
}

const issuesOf = ({ issues }: PicturedDomain, target: string) => issues?.(target) ?? [];

function checkOf(one: PicturedDomain, { now, target }: Values): NonNullable<Status['check']> {
  const { past, checkedAgo, certifiedAgo, lingersFor, nameServers = cloudflare } = one;
  const at = (ago: number) => timestamp(now - ago);
  const isRouted = issuesOf(one, target).every(({ code }) => code === 'CaaForbidsAuthority');
  const failing = !isRouted && certifiedAgo !== undefined;
  return {
    ...{ startedAt: at(past[0]?.[0] ?? 0), checkedAt: at(checkedAgo), zone, nameServers: [...nameServers] },
    routing: isRouted ? 'Yes' : 'No',
    ...(failing ? { failingSince: at(past.at(-1)?.[0] ?? 0) } : {}),
    ...(lingersFor === undefined ? {} : { lingersUntil: at(-lingersFor) }),
  };
}

function entryOf(
  { hostname, certifiedAgo = 0 }: PicturedDomain,
  [ago, what]: Past[number],
  at: (ago: number) => string,
) {
  const entry = { at: at(ago), message: '', ...told[what] };
  const params = {
    State: {},
    Finding: { name: hostname, zone, authority },
    Order: { order: 'First', orderedAt: at(ago) },
    Certificate: { notAfter: at(certifiedAgo - 90 * day) },
  }[entry.kind];
  return { ...entry, params };
}
