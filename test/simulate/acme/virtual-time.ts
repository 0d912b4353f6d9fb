import type { HeapItem } from '../../../src/lib/heap.ts';
import { createHeap } from '../../../src/lib/heap.ts';

/** A time that only what is planned moves on. Milliseconds since the Unix epoch. */
export interface VirtualTime {
  now(): number;
  /** Plans an act; those of one moment are done in the order in which they were planned. Returns what gives it up. */
  at(time: number, act: () => Promise<void> | void): () => void;
  /** Does everything that is planned before a time, one act after the other, and ends there. */
  runUntil(end: number): Promise<void>;
}

interface Planned extends HeapItem {
  readonly time: number;
  readonly order: number;
  readonly act: () => Promise<void> | void;
}

export function createVirtualTime(start: number): VirtualTime {
  const planned = createHeap<Planned>((a, b) => (a.time - b.time || a.order - b.order) < 0);
  let now = start;
  let order = 0;
  return {
    now: () => now,
    at(time, act) {
      order += 1;
      const one: Planned = { time: Math.max(now, Math.ceil(time)), order, act, slot: -1 };
      planned.add(one);
      return () => planned.remove(one);
    },
    async runUntil(end) {
      for (let first = planned.first(); first && first.time < end; first = planned.first()) {
        planned.remove(first);
        now = first.time;
        await first.act();
      }
      now = end;
    },
  };
}
