/** For each name at most one slot of time, which takes constant time to set, to change and to give up. */
export interface TimerWheel {
  /** Slots before the first or after the last are never reached. */
  schedule(name: number, slot: number): void;
  cancel(name: number): void;
  /** Takes every name of a slot out of it. */
  drain(slot: number): readonly number[];
}

const none = -1;

/** Doubly linked lists of names in four flat arrays, as there may be millions. */
export function createTimerWheel(names: number, slots: number): TimerWheel {
  const first = new Int32Array(slots).fill(none);
  const next = new Int32Array(names).fill(none);
  const previous = new Int32Array(names).fill(none);
  const slotOf = new Int32Array(names).fill(none);
  const at = (list: Int32Array, index: number): number => list[index] ?? none;

  const cancel = (name: number) => {
    const slot = at(slotOf, name);
    if (slot === none) return;
    const [before, after] = [at(previous, name), at(next, name)];
    if (before === none) first[slot] = after;
    else next[before] = after;
    if (after !== none) previous[after] = before;
    slotOf[name] = none;
  };
  return {
    cancel,
    schedule(name, slot) {
      cancel(name);
      if (slot < 0 || slot >= slots) return;
      const after = at(first, slot);
      next[name] = after;
      previous[name] = none;
      if (after !== none) previous[after] = name;
      first[slot] = name;
      slotOf[name] = slot;
    },
    drain(slot) {
      const drained: number[] = [];
      for (let name = at(first, slot); name !== none; name = at(next, name)) {
        drained.push(name);
        slotOf[name] = none;
      }
      first[slot] = none;
      return drained;
    },
  };
}
