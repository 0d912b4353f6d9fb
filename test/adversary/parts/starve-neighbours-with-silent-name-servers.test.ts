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
import { createCounter } from '../../support/counter.ts';
import type { Say } from '../../support/small-dns.ts';
import { referral, startSmallDns } from '../../support/small-dns.ts';

const [root, silent, honest] = ['127.88.12.1', '127.88.12.2', '127.88.12.3'] as const;
const domains = 1_000;
const workers = workersOf(operatorConfig).projectDomain;
const target = 'p-mine.cname.honest.test';

/** The neighbour's record, from when it stands in DNS. */
let published = false;
const stop = new AbortController();
/** The neighbour's looks, and how many of the others had begun before each, and at its end. */
const looks: { readonly othersBefore: number; readonly othersAfter: number; readonly found: boolean }[] = [];
const [begun, ended, own] = [createCounter(), createCounter(), createCounter()];
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
    const isLoud = key.startsWith('loud/');
    const hostname = isLoud ? `${parseKey(key).name}.silent.test` : 'www.honest.test';
    const othersBefore = begun.seen();
    if (isLoud) begun.note();
    const { names } = await dns.check({ hostname, target, txtName: null, txtRequired: false, caa: false }, signal);
    if (isLoud) ended.note();
    else {
      looks.push({
        othersBefore,
        othersAfter: begun.seen(),
        found: JSON.stringify(names['www.honest.test'] ?? null).includes(target),
      });
      own.note();
    }
    // The neighbour's next one is due soon, so that few of the others begin only because it is not.
    return { requeueAfterMs: isLoud ? 5_000 : 100 };
  };
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

describe('beside 1,000 domains of one account on a silent name server', () => {
  it("another account's new domain is looked at at once, again when that is due, and its record is found by the second look at most", async () => {
    for (let index = 0; index < domains; index += 1) queue.add(`loud/d${index}`);
    await ended.further(workers / 4);
    const before = begun.seen();
    queue.add('quiet/www');
    await own.further(3);
    published = true;
    await own.further(2);
    expect(looks.at(-1)?.found).toBe(true);
    const passedOver = looks.map(({ othersBefore }, index) => othersBefore - (looks[index - 1]?.othersAfter ?? before));
    // First come, first served, each of its looks would come after those of nearly all others.
    expect(Math.max(...passedOver)).toBeLessThan(domains / 4);
  }, 60_000);
});
