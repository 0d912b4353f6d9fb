import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { overlappingClaims } from '../../../src/controllers/overlapping-claims.ts';
import { liveOverlaps } from '../../../src/controllers/project-domain/observe-project-domain.ts';
import { evaluateProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { decideClaim } from '../../../src/controllers/project-domain/steps/claim-step.ts';
import { watchedKinds } from '../../../src/controllers/watched-kinds.ts';
import { noActions } from '../../../src/controller-runtime/actions.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import { TransportError, isConflict } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { createStores, startReflectors } from '../../../src/kubernetes/watch-stores.ts';
import type { Store } from '../../../src/kubernetes/store.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { claimKey, claimedHostname } from '../../../src/rules/claim-name.ts';
import { claimRelationOf } from '../../../src/rules/hostname-claims.ts';
import { baseOf, isWildcard } from '../../../src/rules/wildcard.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';
import { account, domain, settings as common, snapshot, verdict } from '../../support/snapshot.ts';

/** On a real kube-apiserver: two accounts prove a wildcard and a hostname that it includes at the same moment, a thousand times. */

const pairs = 1_000;
const racingDeadlineMs = 240_000;
/** so many pairs race at a time, as an operator has so many workers */
const atOnce = 32;
const triesAtMost = 100;
/** How often a wildcard may be reconciled before the race, by turns: with two it is held by then, without one the hostname goes first of two that are Pending. */
const headStarts = [0, 1, 2];
/** so many turns of the event loop at most lie between a change and the reconcile that it causes, by chance */
const turnsAtMost = 20;

const claims = { claims: watchedKinds.claims };
const settings = {
  ...common,
  challengeZone: 'acme.example.net',
  routes: createIngressRoutes({ className: 'traefik', controller: ingressControllers.Traefik }),
};
const proven = verdict({ routing: { verdict: 'yes', code: 'Verified', by: 'delegation' } });

interface Client {
  readonly cluster: Cluster;
  readonly store: Store<HostnameClaim, unknown>;
  close(): Promise<void>;
}

let controlPlane: TestControlPlane;
const clients: Client[] = [];

/** Caches and connection of its own, so that each account is seen with a delay of its own. */
async function openClient(): Promise<Client> {
  const ending = new AbortController();
  const transport = createTransport(await connect(controlPlane.kubeconfig));
  const stores = createStores(claims, (error) => {
    throw error;
  });
  const slices = createTimeSlices(systemClock.elapsed);
  const options = { transport, log: silentLog, clock: systemClock, slices };
  const reflectors = startReflectors(claims, stores, { options, signal: ending.signal });
  await Promise.all([...reflectors.values()].map(({ synced }) => synced));
  return {
    cluster: createCluster(transport, 'projectdomain-operator'),
    store: stores.claims,
    async close() {
      ending.abort();
      await Promise.all([...reflectors.values()].map(({ stopped }) => stopped));
      await transport.close();
    },
  };
}

interface Racer {
  readonly hostname: string;
  readonly account: string;
  /** whose claim it overlaps with */
  readonly competitor: string;
}

/** The next change of one of these claims that a cache hears of. */
function nextChange(store: Store<HostnameClaim, unknown>, hostnames: readonly string[]) {
  const { promise: come, resolve } = Promise.withResolvers<void>();
  const end = store.subscribe(({ object: { metadata } }) => {
    if (hostnames.includes(claimedHostname(metadata.name))) resolve();
  });
  return { come, end };
}

/** True where it was done; false where the kube-apiserver did not answer, so that it is to be done again. */
async function isReconciled(client: Client, racer: Racer): Promise<boolean> {
  try {
    await reconcile(client, racer);
    return true;
  } catch (error) {
    if (error instanceof TransportError) return false;
    if (isConflict(error)) return true;
    throw error;
  }
}

/** One reconcile of a domain that is proven, as far as claims are concerned. */
async function reconcile({ cluster, store }: Client, { hostname, account: id }: Racer): Promise<void> {
  const own = domain({ spec: { hostname } });
  const claim = store.get(claimKey(hostname));
  const overlaps = overlappingClaims({ claims: store as never }, hostname, id);
  const gathered = snapshot({
    settings,
    domain: own,
    account: { ...account, spec: { ...account.spec, id } },
    claim,
    claimRelation: claimRelationOf(own, id, claim),
    overlaps,
    verdict: proven,
  });
  const seen = { ...gathered, overlaps: await liveOverlaps({ cluster }, gathered) };
  const writes = decideClaim({ ...evaluateProjectDomain(seen), checks: gathered.checkStatus });
  await applyActions({ cluster, now: systemClock.now, recordEvent: () => undefined }, { ...noActions, writes });
}

/** How it has ended, as the cache shows it; null while it goes on. */
function endOf({ store }: Client, { hostname, account: own }: Racer): 'Held' | 'refused' | null {
  const claim = store.get(claimKey(hostname));
  if (claim?.spec.phase === 'Held') return 'Held';
  const others = overlappingClaims({ claims: store as never }, hostname, own);
  const isTaken = others.some(({ account: id, phase }) => phase === 'Held' && id !== own);
  return isTaken && !claim ? 'refused' : null;
}

/** Reconciles at each change, as an operator does, until the domain is held, or another account has what overlaps. How it ended. */
async function race(client: Client, racer: Racer, tried: (tries: number) => void = () => undefined) {
  for (let tries = 1; tries <= triesAtMost; tries += 1) {
    const change = nextChange(client.store, [racer.hostname, racer.competitor]);
    try {
      const end = endOf(client, racer);
      if (end !== null) return end;
      const mustWait = await isReconciled(client, racer);
      tried(tries);
      if (mustWait) await change.come;
    } finally {
      change.end();
    }
    await turnsOfLoop(Math.random() * turnsAtMost);
  }
  throw new Error(`${racer.hostname} was never decided`);
}

/** Both, the hostname once the wildcard has been reconciled so often. */
async function raceOf(base: string, [one, other]: readonly [Client, Client], headStart: number): Promise<string> {
  const [wildcard, hostname] = [`*.${base}`, `www.${base}`];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  if (headStart === 0) begin();
  const first = race(one, { hostname: wildcard, account: 'account-w', competitor: hostname }, (tries) => {
    if (tries === headStart) begin();
  });
  await Promise.race([begun, first]);
  const second = race(other, { hostname, account: 'account-h', competitor: wildcard });
  return (await Promise.all([first, second])).join(' ');
}

/** Every moment at which two accounts hold what overlaps, by the changes in the order of the kube-apiserver. */
function watchOverlaps(store: Store<HostnameClaim, unknown>) {
  const held = new Map<string, Map<string, string>>();
  const overlaps: string[] = [];
  let pendingSeen = 0;
  store.subscribe(({ type, object: { metadata, spec } }) => {
    const hostname = claimedHostname(metadata.name);
    const base = isWildcard(hostname) ? baseOf(hostname) : hostname.slice(hostname.indexOf('.') + 1);
    const place = held.get(base) ?? new Map<string, string>();
    held.set(base, place);
    if (spec.phase === 'Pending') pendingSeen += 1;
    if (type !== 'deleted' && spec.phase === 'Held') place.set(hostname, spec.account);
    else place.delete(hostname);
    const wildcard = place.get(`*.${base}`);
    if (wildcard !== undefined && [...place.values()].some((holder) => holder !== wildcard)) overlaps.push(base);
  });
  return { overlaps, held, pending: () => pendingSeen };
}

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
  for (const _ of [1, 2, 3]) clients.push(await openClient());
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

describe('a thousand wildcards and hostnames of two accounts that race', () => {
  it(
    'are never held at the same moment, and one of each pair is',
    async () => {
      const [one, other, observer] = clients as [Client, Client, Client];
      const seen = watchOverlaps(observer.store);
      const waiting = Array.from({ length: pairs }, (_, index) => `site-${index}.example`);
      const outcomes = new Map<string, string>();
      const worker = async () => {
        for (let base = waiting.pop(); base !== undefined; base = waiting.pop()) {
          const headStart = headStarts[waiting.length % headStarts.length] ?? 0;
          outcomes.set(base, await raceOf(base, [one, other], headStart));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      expect(seen.overlaps).toEqual([]);
      const ended = [...outcomes.values()];
      const count = (outcome: string) => ended.filter((one_) => one_ === outcome).length;
      const [ofWildcard, ofHostname] = [count('Held refused'), count('refused Held')];
      expect(ended.filter((outcome) => outcome !== 'Held refused' && outcome !== 'refused Held')).toEqual([]);
      // Neither side wins because it is always first: else nothing would have raced.
      expect(Math.min(ofWildcard, ofHostname)).toBeGreaterThan(0);
      expect(seen.pending()).toBeGreaterThan(pairs);
    },
    racingDeadlineMs,
  );

  it('are both held by one account', async () => {
    const [one] = clients as [Client];
    const racers = ['*.own.example', 'www.own.example'].map((hostname, index, all) => ({
      ...{ hostname, account: 'account-o', competitor: all[1 - index] ?? '' },
    }));
    expect(await Promise.all(racers.map((racer) => race(one, racer)))).toEqual(['Held', 'Held']);
  }, 30_000);
});
