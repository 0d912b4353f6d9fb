import { describe, expect, it } from '@jest/globals';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { ReconcileResult } from '../../../src/controller-runtime/actions.ts';
import { runController } from '../../../src/controller-runtime/controller.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const workers = 64;
/** What a DNS check of name servers that never answer takes. */
const silence = 6_000;
const shareOf = (key: string): string => key.split('/')[0] ?? '';

/** Controllers as the operator runs them, over visits that only wait. Keys are `account/name`. */
function simulate(durationOf: (key: string) => number) {
  const clock = createFakeClock();
  const queue = createWorkQueue(clock, { shareOf, workers });
  const stop = new AbortController();
  const starts = new Map<string, number[]>();
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const reconcile = async (key: string): Promise<ReconcileResult> => {
    const share = shareOf(key);
    const now = (running.get(share) ?? 0) + 1;
    running.set(share, now);
    most.set(share, Math.max(now, most.get(share) ?? 0));
    starts.set(key, [...(starts.get(key) ?? []), clock.elapsed()]);
    await clock.sleep(durationOf(key));
    running.set(share, (running.get(share) ?? 1) - 1);
    return { requeueAfterMs: 5_000 };
  };
  const common = {
    name: 'domains',
    queue,
    workers,
    log: silentLog,
    tracer: noTracer,
    writes: createReconcileWrites(),
    clock,
    slices: createTimeSlices(() => 0),
    observe: () => undefined,
  };
  const ended = runController({ ...common, reconcile, isStale: () => false }, stop.signal);
  const end = async () => {
    stop.abort();
    await clock.advance(silence);
    await ended;
  };
  const waits = (key: string, since: number): readonly number[] =>
    (starts.get(key) ?? []).map((at, index, all) => at - (all[index - 1] ?? since));
  return { clock, queue, starts, most, waits, end };
}

const isQuiet = (key: string): number => (key.startsWith('loud') ? silence : 200);

describe('beside an account with a thousand domains on silent name servers', () => {
  it("another account's new domain is looked at at once, and its looks come every five seconds", async () => {
    const run = simulate(isQuiet);
    for (let domain = 0; domain < 1_000; domain += 1) run.queue.add(`loud/${domain}`);
    await run.clock.advance(30_000);
    run.queue.add('quiet/new');
    await run.clock.advance(60_000);
    const waits = run.waits('quiet/new', 30_000);
    expect(waits.length).toBeGreaterThan(10);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_200 + 100);
    await run.end();
  });

  it('its own new domain is not lost among them either: looks come as fast as for a quiet account', async () => {
    const run = simulate((key) => (key === 'loud/new' ? 200 : silence));
    for (let domain = 0; domain < 1_000; domain += 1) run.queue.add(`loud/${domain}`, { priority: 'low' });
    await run.clock.advance(1_000_000);
    run.queue.add('loud/new');
    await run.clock.advance(60_000);
    expect(Math.max(...run.waits('loud/new', 1_000_000))).toBeLessThanOrEqual(5_200 + 100);
    await run.end();
  });

  it('it holds a quarter of the workers with its first looks and a sixteenth with its sweeps', async () => {
    const run = simulate(isQuiet);
    for (let domain = 0; domain < 1_000; domain += 1) run.queue.add(`loud/${domain}`);
    await run.clock.advance(500_000);
    expect(run.most.get('loud')).toBe(workers / 4);
    run.most.clear();
    await run.clock.advance(100_000);
    expect(run.most.get('loud')).toBe(workers / 16);
    await run.end();
  });

  it('and every one of its domains is still looked at', async () => {
    const run = simulate(isQuiet);
    for (let domain = 0; domain < 100; domain += 1) run.queue.add(`loud/${domain}`);
    await run.clock.advance(1_000_000);
    const looks = Array.from({ length: 100 }, (_, domain) => run.starts.get(`loud/${domain}`)?.length ?? 0);
    expect(Math.min(...looks)).toBeGreaterThan(5);
    await run.end();
  });
});

describe('whatever many accounts do together', () => {
  it('silent sweeps of a hundred accounts leave three quarters of the workers to others', async () => {
    const run = simulate(isQuiet);
    for (let key = 0; key < 1_000; key += 1) run.queue.add(`loud${key % 100}/${key}`, { priority: 'low' });
    await run.clock.advance(300_000);
    run.queue.add('quiet/swept', { priority: 'low' });
    run.queue.add('quiet/clicked');
    await run.clock.advance(60_000);
    expect(Math.max(...run.waits('quiet/clicked', 300_000))).toBeLessThanOrEqual(5_300);
    expect(Math.max(...run.waits('quiet/swept', 300_000))).toBeLessThanOrEqual(5_300);
    await run.end();
  });

  it('their clicks never keep all sweeps waiting', async () => {
    const run = simulate(() => 1_000);
    const clickOn = () => {
      for (let key = 0; key < 400; key += 1) run.queue.add(`eager${key % 40}/${key}`);
    };
    clickOn();
    run.queue.add('quiet/swept', { priority: 'low' });
    for (let second = 0; second < 20; second += 1) {
      await run.clock.advance(1_000);
      clickOn();
    }
    expect(run.starts.get('quiet/swept')?.length).toBeGreaterThan(0);
    await run.end();
  });

  it('a sweep of one account goes behind the clicks of another, and of two that click both get on', async () => {
    const run = simulate(() => 1_000);
    for (let key = 0; key < 5_000; key += 1) run.queue.add(`swept${key % 500}/${key}`, { priority: 'low' });
    await run.clock.advance(2_500);
    for (let key = 0; key < 200; key += 1) run.queue.add(`first/${key}`);
    run.queue.add('second/click');
    await run.clock.advance(1_000);
    expect(run.waits('second/click', 2_500)[0]).toBe(0);
    await run.end();
  });
});

describe('when more rechecks are wanted than the workers can bear', () => {
  /** A look takes 200 ms and is wanted every five seconds, so that 1,000 domains want 40 workers. */
  const domains = 1_000;
  const looksOf = (run: ReturnType<typeof simulate>, key: string) => run.starts.get(key)?.length ?? 0;

  it('those of a bulk import are spread evenly after each first look, and nothing due waits long', async () => {
    const run = simulate(() => 200);
    const keys = Array.from({ length: domains }, (_, index) => `bulk/${index}`);
    for (const key of keys) run.queue.add(key);
    await run.clock.advance(60_000);
    expect(keys.filter((key) => looksOf(run, key) === 0)).toEqual([]);
    await run.clock.advance(90_000);
    run.starts.clear();
    await run.clock.advance(60_000);
    const looks = keys.map((key) => looksOf(run, key));
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...looks)).toBeLessThanOrEqual(4);
    expect(run.queue.ages().low).toBeLessThanOrEqual(2_000);
    expect(run.queue.stretch().max).toBeCloseTo((domains * 0.2) / 5 / 9, 0);
    await run.end();
  });

  it('a domain of another account is looked at as if the import were not there', async () => {
    const run = simulate(() => 200);
    for (let index = 0; index < domains; index += 1) run.queue.add(`bulk/${index}`);
    await run.clock.advance(60_000);
    run.queue.add('quiet/new');
    await run.clock.advance(60_000);
    expect(Math.max(...run.waits('quiet/new', 60_000))).toBeLessThanOrEqual(5_300);
    await run.end();
  });

  it('many accounts of one domain each are stretched alike, and a click of one of them is not', async () => {
    const run = simulate(() => 200);
    const keys = Array.from({ length: domains }, (_, index) => `account${index}/only`);
    for (const key of keys) run.queue.add(key, { priority: 'low' });
    await run.clock.advance(60_000);
    run.starts.clear();
    run.queue.add('account7/only');
    await run.clock.advance(40_000);
    expect(run.waits('account7/only', 60_000)[0]).toBeLessThanOrEqual(400);
    const looks = keys.map((key) => looksOf(run, key));
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...looks)).toBeLessThanOrEqual(8);
    expect(run.queue.ages().low).toBeLessThanOrEqual(2_000);
    await run.end();
  });
});
