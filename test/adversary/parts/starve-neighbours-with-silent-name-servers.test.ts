/**
 * A tenant adds 1,000 domains whose name servers never answer. Each look waits for them until its deadline, and looks
 * are due every five seconds: first come, first served would leave no worker for anybody else. Workers are shared out
 * over accounts, and domains that were slow wait behind all others.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { runController } from '../../../src/controller-runtime/controller.ts';
import type { WorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { workersOf } from '../../../src/operator/work-queues.ts';
import { operatorConfig } from '../../support/process-configs.ts';
import { parseKey } from '../../../src/kubernetes/object-keys.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Say } from '../../support/small-dns.ts';
import { referral, startSmallDns } from '../../support/small-dns.ts';

const [root, silent, honest] = ['127.88.12.1', '127.88.12.2', '127.88.12.3'] as const;
const domains = 1_000;
const target = 'p-mine.cname.honest.test';

/** The neighbour's record, from when it stands in DNS. */
let published = false;
const stop = new AbortController();
const looks: { readonly at: number; readonly found: boolean }[] = [];
let queue: WorkQueue;
let ends: (() => Promise<void>)[] = [];
let running: Promise<void>;

const refer: Say = (name) => {
  if (name === 'test') return { authoritative: true };
  return name.endsWith('silent.test') ? referral('silent.test', silent) : referral('honest.test', honest);
};

const answer: Say = (name, type) => {
  const alias = name === 'www.honest.test' && published;
  if (alias) return { authoritative: true, answers: [{ type: 'CNAME', name, ttl: 60, data: target }] };
  if (name === target && type === 'A')
    return { authoritative: true, answers: [{ type: 'A', name, ttl: 60, data: '203.0.113.10' }] };
  const mname = 'ns.honest.test';
  const soa = { mname, rname: mname, serial: 1, refresh: 60, retry: 60, expire: 60, minimum: 60 };
  const nxdomain = name !== 'honest.test' && !name.endsWith('cname.honest.test');
  return { authoritative: true, nxdomain, authorities: [{ type: 'SOA', name: 'honest.test', ttl: 60, data: soa }] };
};

beforeAll(async () => {
  ends = [
    await startSmallDns(root, refer),
    await startSmallDns(silent, () => null),
    await startSmallDns(honest, answer),
  ];
  const roots = [{ address: root, port: 53 }];
  const dns = createDnsChecker({ roots, resolvers: [], permitted: ['127.0.0.0/8'] });
  const look = async (key: string, signal: AbortSignal) => {
    const hostname = key.startsWith('loud/') ? `${parseKey(key).name}.silent.test` : 'www.honest.test';
    const { names } = await dns.check({ hostname, target, txtName: null, txtRequired: false, caa: false }, signal);
    if (!key.startsWith('loud/'))
      looks.push({ at: performance.now(), found: JSON.stringify(names['www.honest.test'] ?? null).includes(target) });
    return { requeueAfterMs: 5_000 };
  };
  const workers = workersOf(operatorConfig).projectDomain;
  queue = createWorkQueue(systemClock, { shareOf: (key) => parseKey(key).namespace, workers });
  const writes = createReconcileWrites();
  const common = { name: 'domains', queue, workers, clock: systemClock, log: silentLog, tracer: noTracer, writes };
  const slices = createTimeSlices(systemClock.elapsed);
  const rest = { slices, observe: () => undefined, isStale: () => false };
  running = runController({ ...common, ...rest, reconcile: look }, stop.signal);
});

afterAll(async () => {
  stop.abort();
  await running;
  await Promise.all(ends.map((end) => end()));
}, 60_000);

const until = async (seen: () => boolean) => {
  while (!seen() && !stop.signal.aborted) await systemClock.sleep(50);
};

describe('beside 1,000 domains of one account on a silent name server', () => {
  it("another account's new domain is looked at at once, every five seconds, and its record is found within ten", async () => {
    for (let index = 0; index < domains; index += 1) queue.add(`loud/d${index}`);
    await systemClock.sleep(7_000);
    const addedAt = performance.now();
    queue.add('quiet/www');
    await until(() => looks.length >= 3);
    expect((looks[0]?.at ?? Infinity) - addedAt).toBeLessThan(5_000);
    published = true;
    const publishedAt = performance.now();
    await until(() => looks.some(({ found }) => found));
    expect((looks.find(({ found }) => found)?.at ?? Infinity) - publishedAt).toBeLessThan(10_000);
    const gaps = looks.map(({ at }, index) => at - (looks[index - 1]?.at ?? addedAt)).slice(1);
    expect(Math.max(...gaps)).toBeLessThan(10_000);
  }, 60_000);
});
