import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../../dev/platform/platform.ts';

/** An order that the authority took: it stands in its own log. */
export interface TakenOrder {
  readonly id: string;
  /** milliseconds since the Unix epoch, in whole seconds */
  readonly at: number;
  /** null when neither an Order of cert-manager's nor a claim was seen that has it */
  readonly hostname: string | null;
  /** which issuance of its Certificate it was placed for, from 1; null where that was never seen */
  readonly revision: number | null;
  /** an authorization of it failed */
  readonly failed: boolean;
}

/** What Pebble was asked for, told by Pebble's log, and for which hostname, told by cert-manager's Orders or, where the operator orders itself, by claims. */
export interface AuthorityOrders {
  /** The oldest first. */
  taken(): Promise<readonly TakenOrder[]>;
  stop(): Promise<void>;
}

interface Order {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly dnsNames?: readonly string[] };
  readonly status?: { readonly url?: string };
}

interface Claim {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly orders?: readonly { readonly request: string; readonly acme?: { readonly order?: string } }[];
  };
}

interface Request {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
}

const revisionAnnotation = 'cert-manager.io/certificate-revision';

const pauseMs = 2_000;

/** Orders go with their Certificates, so they are looked at all the time. */
export function watchAuthorityOrders({ kubectl, facts }: Pick<Platform, 'kubectl' | 'facts'>): AuthorityOrders {
  const logFile = join(facts.kubeconfig, '../logs/pebble.log');
  const placedFor = new Map<string, Pick<TakenOrder, 'hostname' | 'revision'>>();
  let stopped = false;
  const lookAtClaims = async () => {
    const requests = await kubectl.list<Request>('certificaterequests');
    const revisions = new Map(
      requests.map(({ metadata: { uid, annotations } }) => [uid, Number(annotations?.[revisionAnnotation])]),
    );
    for (const { metadata, spec } of await kubectl.list<Claim>('hostnameclaims')) {
      for (const { request, acme } of spec.orders ?? []) {
        const id = acme?.order?.split('/').at(-1);
        const revision = revisions.get(request) ?? placedFor.get(id ?? '')?.revision ?? null;
        if (id !== undefined) placedFor.set(id, { hostname: metadata.name, revision });
      }
    }
  };
  const lookAtOrders = async () => {
    for (const { metadata, spec, status } of await kubectl.list<Order>('orders.acme.cert-manager.io')) {
      const id = status?.url?.split('/').at(-1);
      if (id === undefined || spec.dnsNames?.length !== 1) continue;
      const revision = Number(metadata.annotations?.[revisionAnnotation]);
      placedFor.set(id, { hostname: spec.dnsNames[0] ?? '', revision });
    }
  };
  const look = async () => {
    await Promise.all([lookAtClaims(), lookAtOrders()]);
  };
  const watching = (async () => {
    while (!stopped) {
      await look().catch(() => undefined);
      await sleep(pauseMs);
    }
  })();
  return {
    async taken() {
      await look();
      const log = readFileSync(logFile, 'utf8');
      const failed = new Set([...log.matchAll(invalid)].map(([, id]) => id));
      return [...log.matchAll(added)].map(([, day = '', time = '', id = '']) => ({
        id,
        at: Date.parse(`${day.replaceAll('/', '-')}T${time}`),
        ...(placedFor.get(id) ?? { hostname: null, revision: null }),
        failed: failed.has(id),
      }));
    },
    async stop() {
      stopped = true;
      await watching;
    },
  };
}

const added = /(\d{4}\/\d\d\/\d\d) (\d\d:\d\d:\d\d) Added order "([^"]+)" to the db/g;
const invalid = /order (\S+) set INVALID by invalid authz/g;

/** The most orders that fell into any window of so many seconds. */
export const mostWithin = (orders: readonly TakenOrder[], seconds: number): number =>
  Math.max(
    0,
    ...orders.map(({ at }) => orders.filter((other) => other.at >= at && other.at < at + seconds * 1_000).length),
  );

/** How many orders of a hostname the authority took. */
export const takenFor = async (authority: AuthorityOrders, hostname: string): Promise<number> =>
  (await authority.taken()).filter((order) => order.hostname === hostname).length;
