import { expect, it } from '@jest/globals';
import { createTimerWheel } from '../../simulate/timer-wheel.ts';
import { createHostnames } from '../../simulate/simulated-hostnames.ts';

const { chance } = createHostnames(1);

/** The same as a map from each name to its slot. */
function follow(names: number, slots: number, steps: number) {
  const wheel = createTimerWheel(names, slots);
  const slotOf = new Map<number, number>();
  for (let step = 0; step < steps; step += 1) {
    const name = Math.floor(chance(step, 1) * names);
    const slot = Math.floor(chance(step, 2) * (slots + 2)) - 1;
    if (chance(step, 3) < 0.2) {
      wheel.cancel(name);
      slotOf.delete(name);
      continue;
    }
    wheel.schedule(name, slot);
    if (slot >= 0 && slot < slots) slotOf.set(name, slot);
    else slotOf.delete(name);
  }
  return { wheel, slotOf };
}

it('a wheel holds for each name the slot that it was given last: would fail if a list lost a name or kept one that left', () => {
  const { wheel, slotOf } = follow(50, 10, 5_000);
  for (let slot = 0; slot < 10; slot += 1) {
    const wanted = [...slotOf].flatMap(([name, at]) => (at === slot ? [name] : []));
    expect(wheel.drain(slot).toSorted((a, b) => a - b)).toEqual(wanted.toSorted((a, b) => a - b));
  }
});

it('a slot that was drained is empty, and its names can be scheduled again', () => {
  const wheel = createTimerWheel(3, 2);
  wheel.schedule(1, 0);
  wheel.schedule(2, 0);
  expect(wheel.drain(0)).toHaveLength(2);
  expect(wheel.drain(0)).toEqual([]);
  wheel.schedule(1, 1);
  expect(wheel.drain(1)).toEqual([1]);
});
