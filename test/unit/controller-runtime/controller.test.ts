import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { ReconcileResult } from '../../../src/controller-runtime/actions.ts';
import { runController } from '../../../src/controller-runtime/controller.ts';
import type { WorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import type { ReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import { createReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import type { Log } from '../../../src/lib/log.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** One share, and no limit of it. */
const unbounded = { shareOf: () => '', workers: Infinity };

class Stale extends Error {}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reconcileId?: string;
  readonly [field: string]: unknown;
}

let clock: FakeClock;
let queue: WorkQueue;
let stop: AbortController;
let visits: { readonly key: string; readonly at: number }[];
let observed: boolean[];
let log: Log;
let writes: ReconcileWrites;
let lines: Line[];
let running: Promise<void>;

beforeEach(() => {
  clock = createFakeClock();
  queue = createWorkQueue(clock, unbounded);
  stop = new AbortController();
  visits = [];
  observed = [];
  lines = [];
  log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  writes = createReconcileWrites();
});

afterEach(async () => {
  stop.abort();
  await running;
});

function run(reconcile: (key: string, signal: AbortSignal) => Promise<ReconcileResult>, workers = 1): void {
  running = runController(
    {
      name: 'things',
      queue,
      workers,
      reconcile: (key, signal) => {
        visits.push({ key, at: clock.now() });
        return reconcile(key, signal);
      },
      log,
      tracer: noTracer,
      writes,
      clock,
      observe: ({ failed }) => observed.push(failed),
      slices: createTimeSlices(() => 0),
      isStale: (error) => error instanceof Stale,
    },
    stop.signal,
  );
}

const warnings = () => lines.filter(({ level }) => level === 40);
const times = () => visits.map(({ at }) => at);

describe('after a visit', () => {
  it('that was refused something the key backs off, however well its status says so', async () => {
    const refused = new Error('no room');
    run(() => Promise.resolve({ refused }));
    queue.add('x');
    await clock.advance(100_000);
    expect(visits.length).toBeGreaterThan(4);
    expect(visits.length).toBeLessThan(10);
    expect(observed).toEqual(visits.map(() => true));
    expect(warnings()).toHaveLength(visits.length);
  });

  it('that ended well the key rests until something happens', async () => {
    run(() => Promise.resolve({}));
    queue.add('x');
    await clock.advance(3_600_000);
    expect(visits).toEqual([{ key: 'x', at: 0 }]);
    expect(observed).toEqual([false]);
  });

  it('that asked for another the key comes back after that while', async () => {
    run(() => Promise.resolve({ requeueAfterMs: 15_000 }));
    queue.add('x');
    await clock.advance(31_000);
    expect(times()).toEqual([0, 15_000, 30_000]);
  });

  it('that failed it is tried again, later each time, and each failure is logged with its key', async () => {
    run(() => Promise.reject(new Error('away')));
    queue.add('x');
    await clock.advance(15_000);
    const gaps = times().flatMap((at, index) => (index === 0 ? [] : [at - (times()[index - 1] ?? 0)]));
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    gaps.forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(gap).toBeLessThanOrEqual(1_000 * 2 ** index);
    });
    expect(observed).toEqual(visits.map(() => true));
    expect(warnings()[0]).toMatchObject({ controller: 'things', key: 'x', err: { name: 'Error', message: 'away' } });
    expect((warnings()[0]?.err as Error).stack).toContain('controller.test.ts');
  });

  it('that failed an event brings it back at once, and success makes the next failure wait from the start', async () => {
    const outcomes = ['fault', 'fault', 'fault', 'fault', 'well', 'fault', 'well'];
    run(() => (outcomes.shift() === 'well' ? Promise.resolve({}) : Promise.reject(new Error('away'))));
    for (let event = 0; event < 6; event += 1) {
      queue.add('x');
      await clock.advance(0);
    }
    expect(times()).toEqual([0, 0, 0, 0, 0, 0]);
    await clock.advance(1_000);
    expect(visits.length).toBe(7);
  });

  it('that came upon an outdated version it is repeated soon, and that is no failure', async () => {
    const outcomes = [new Stale(), new Stale()];
    run(() => {
      const stale = outcomes.shift();
      return stale ? Promise.reject(stale) : Promise.resolve({});
    });
    queue.add('x');
    await clock.advance(3_600_000);
    expect(times()).toEqual([0, 200, 400]);
    expect(observed).toEqual([false, false, false]);
    expect(warnings()).toEqual([]);
  });

  it('that meets the same conflict for ever it backs off as after a failure', async () => {
    run(() => Promise.reject(new Stale()));
    queue.add('x');
    await clock.advance(600_000);
    expect(visits.length).toBeLessThan(30);
    expect(observed.at(-1)).toBe(true);
  });
});

describe('the lines of a reconcile', () => {
  it('that fails, what is logged deep inside of it, and what it leaves behind, carry controller, key and one id', async () => {
    const later = Promise.withResolvers<void>();
    run(async () => {
      void later.promise.then(() => log.info({}, 'left behind'));
      await Promise.resolve();
      log.info({}, 'deep inside');
      throw new Error('away');
    });
    queue.add('x');
    await clock.advance(0);
    later.resolve();
    await clock.advance(0);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'deep inside',
      'reconcile failed and will be tried again',
      'reconciled',
      'left behind',
    ]);
    const [first] = lines;
    expect(first?.reconcileId).toMatch(/^[0-9a-f-]{36}$/);
    for (const line of lines)
      expect(line).toMatchObject({ controller: 'things', key: 'x', reconcileId: first?.reconcileId });
  });

  it('differ in their id from those of every other, of the same key and of one that runs at the same time', async () => {
    run(async (key) => {
      await Promise.resolve();
      log.info({ of: key }, 'inside');
      return {};
    }, 2);
    queue.add('x');
    queue.add('y');
    await clock.advance(0);
    queue.add('x');
    await clock.advance(0);
    const inside = lines.filter(({ msg }) => msg === 'inside');
    expect(inside.map(({ key, of }) => [key, of])).toEqual([
      ['x', 'x'],
      ['y', 'y'],
      ['x', 'x'],
    ]);
    expect(new Set(inside.map(({ reconcileId }) => reconcileId)).size).toBe(3);
  });

  it('carry nothing of it where they are of none, though it was a reconcile that brought them about', async () => {
    run(() => Promise.resolve({ requeueAfterMs: 1_000 }));
    queue.add('x');
    await clock.advance(0);
    log.info({}, 'of none');
    expect(lines.at(-1)).not.toHaveProperty('reconcileId');
  });

  it('end with one that says how long it took and what it wrote, by verb and resource; reads and others are left out', async () => {
    run(async (key) => {
      await clock.sleep(key === 'x' ? 300 : 10);
      if (key === 'x') writes.note({ verb: 'patch', resource: 'projectdomains/status', code: '2xx' });
      if (key === 'x') writes.note({ verb: 'patch', resource: 'projectdomains/status', code: '2xx' });
      writes.note({ verb: 'get', resource: 'secrets', code: '2xx' });
      if (key === 'y') writes.note({ verb: 'delete', resource: 'certificates', code: '4xx' });
      return {};
    }, 2);
    ['x', 'y'].forEach((key) => queue.add(key));
    await clock.advance(1_000);
    writes.note({ verb: 'create', resource: 'leases', code: '2xx' });
    const told = lines
      .filter(({ msg }) => msg === 'reconciled')
      .map(({ key, ms, failed, writes: written }) => ({ key, ms, failed, written }));
    expect(told).toEqual([
      { key: 'y', ms: 10, failed: false, written: { 'delete certificates: 4xx': 1 } },
      { key: 'x', ms: 300, failed: false, written: { 'patch projectdomains/status': 2 } },
    ]);
  });
});

describe('workers', () => {
  it('work side by side, but never two on one key', async () => {
    const ends = new Map<string, () => void>();
    run((key) => {
      expect(ends.has(key)).toBe(false);
      return new Promise((resolve) =>
        ends.set(key, () => {
          ends.delete(key);
          resolve({});
        }),
      );
    }, 2);
    ['x', 'y', 'z', 'x'].forEach((key) => queue.add(key));
    await clock.advance(0);
    queue.add('x');
    await clock.advance(0);
    expect([...ends.keys()]).toEqual(['x', 'y']);
    ends.get('y')?.();
    await clock.advance(0);
    expect([...ends.keys()]).toEqual(['x', 'z']);
    ends.get('z')?.();
    await clock.advance(0);
    expect([...ends.keys()]).toEqual(['x']);
    ends.get('x')?.();
    await clock.advance(0);
    expect(visits.map(({ key }) => key)).toEqual(['x', 'y', 'z', 'x']);
    ends.get('x')?.();
  });

  it('one key that fails keeps no other waiting', async () => {
    run((key) => (key === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve({})));
    ['bad', 'good', 'better'].forEach((key) => queue.add(key));
    await clock.advance(0);
    expect(visits.map(({ key }) => key)).toEqual(['bad', 'good', 'better']);
  });

  it('end when told to: a visit under way sees the signal, what waits is left', async () => {
    run((_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))));
    ['x', 'y'].forEach((key) => queue.add(key));
    await clock.advance(0);
    stop.abort();
    await running;
    expect(visits.map(({ key }) => key)).toEqual(['x']);
  });
});
