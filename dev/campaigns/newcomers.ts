import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectThat, within } from '../lib/eventually.ts';
import { askHttps } from '../lib/https.ts';
import type { Rest } from '../lib/rest.ts';
import type { Platform } from '../platform/platform.ts';
import type { BulkApi } from './bulk.ts';

/** How long one new domain waited, milliseconds. */
export interface Waited {
  readonly hostname: string;
  /** from Add to the first look at DNS */
  readonly firstLook: number;
  readonly recordToVerified: number;
  readonly verifiedToLive: number;
  readonly recordToLive: number;
}

export interface Newcomers {
  readonly platform: Platform;
  readonly api: BulkApi;
  readonly rest: Rest;
  readonly account: string;
  readonly target: string;
}

interface Seen {
  readonly items: readonly {
    readonly spec: { readonly hostname: string };
    readonly status?: {
      readonly check?: { readonly checkedAt?: string };
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  }[];
}

type SeenStatus = NonNullable<Seen['items'][number]['status']>;

const patienceMs = 180_000;
const beginEveryMs = 6_000;
/** Pauses between two looks at a new domain: the record is published at every part of one. */
const lookEveryMs = 5_000;

const primary = 'www.established.example';

/** The project's Primary, Live before anything is measured. */
export async function firstDomain(newcomers: Newcomers): Promise<void> {
  await newDomain(newcomers, { hostname: primary, role: 'primary' }, 0);
}

/**
 * New domains that redirect to the first, one begun every six seconds: added by REST while the record is missing, its
 * record published some time after the first look (a share of five seconds that each set shares out alike), then
 * watched until it is served.
 */
export async function newDomains(newcomers: Newcomers, set: string, count: number): Promise<readonly Waited[]> {
  const begun = Array.from({ length: count }, async (_, index) => {
    await sleep(index * beginEveryMs);
    const wanted = { hostname: `www.${set}-${index + 1}.example`, role: 'redirect', redirect: { to: primary } };
    return newDomain(newcomers, wanted, (index * lookEveryMs) / count);
  });
  return Promise.all(begun);
}

interface Wanted {
  readonly hostname: string;
  readonly role: string;
  readonly redirect?: { readonly to: string };
}

async function newDomain(newcomers: Newcomers, wanted: Wanted, pauseMs: number): Promise<Waited> {
  const { platform, rest, target } = newcomers;
  const { hostname } = wanted;
  const zone = hostname.replace(/^www\./, '');
  platform.dns.putZone(zone, '@ TXT "no record for the domain yet"');
  const addedAt = performance.now();
  const added = await rest('/v1/projects/shop/domains', { method: 'POST', body: wanted });
  if (added.status !== 201) throw new Error(`add answered ${added.status} ${JSON.stringify(added.body)}`);
  await until(newcomers, hostname, { what: 'was looked at', holds: ({ check }) => check?.checkedAt !== undefined });
  const lookedAt = performance.now();
  await sleep(pauseMs);
  platform.dns.putZone(zone, `www CNAME ${target}.`);
  const publishedAt = performance.now();
  await until(newcomers, hostname, { what: 'is Verified', holds: isVerified });
  const verifiedAt = performance.now();
  await served(newcomers, wanted);
  const liveAt = performance.now();
  return {
    hostname,
    firstLook: lookedAt - addedAt,
    recordToVerified: verifiedAt - publishedAt,
    verifiedToLive: liveAt - verifiedAt,
    recordToLive: liveAt - publishedAt,
  };
}

const isVerified = ({ conditions = [] }: SeenStatus): boolean =>
  ['DNSVerified', 'OwnershipVerified'].every((wanted) =>
    conditions.some(({ type, status }) => type === wanted && status === 'True'),
  );

interface Awaited {
  readonly what: string;
  readonly holds: (status: SeenStatus) => boolean;
}

async function until({ api, account }: Newcomers, hostname: string, { what, holds }: Awaited): Promise<void> {
  const path = `/apis/projectdomain.io/v1alpha1/namespaces/${account}/projectdomains`;
  await within(`${hostname} ${what}`, patienceMs, async () => {
    const { items } = (await api.send('GET', path)) as Seen;
    const status = items.find(({ spec }) => spec.hostname === hostname)?.status;
    expectThat(status !== undefined && holds(status), JSON.stringify(status?.conditions));
  });
}

/** Answered over HTTPS with its own certificate: the project itself by the Primary, else a redirect to it. */
async function served({ platform: { facts }, account }: Newcomers, { hostname, redirect }: Wanted): Promise<void> {
  const ca = readFileSync(facts.acmeRoot);
  await within(`https://${hostname}/ answers`, patienceMs, async () => {
    const { status, headers, body } = await askHttps({ address: facts.ingressAddress, ca, hostname });
    const right = redirect
      ? status === 301 && headers.location === `https://${redirect.to}/`
      : status === 200 && body.includes(`"${account}-web"`);
    expectThat(right, `status ${status}, Location ${String(headers.location)}: ${body}`);
  });
}
