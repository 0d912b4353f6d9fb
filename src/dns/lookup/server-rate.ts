import { createBoundedMap } from '../../lib/bounded-map.ts';

/**
 * Limits the packets that the whole process sends to one address, however many checks lead there, so that a thousand
 * domains that name a victim's address do not make us flood it. Times are milliseconds of one clock.
 */
export interface ServerRates {
  /**
   * Takes the address's next slot; returns how long to wait before the packet may be sent. Null, and no slot taken, when
   * that is at `until` or later.
   */
  waitFor(address: string, at: { readonly now: number; readonly until: number }): number | null;
  /** Something came back from the address: it is a name server, and gets the full rate from now on. */
  answered(address: string): void;
}

/** Packets a second (and in one burst after a pause) to an address that never answered, and to one that did. */
export const serverRates = Object.freeze({ unproven: 20, proven: 200, addresses: 10_000 });

interface Queue {
  proven: boolean;
  /** when the queue is empty again */
  freeAt: number;
}

export function createServerRates(): ServerRates {
  const queues = createBoundedMap<Queue>(serverRates.addresses);
  const queueOf = (address: string): Queue => {
    const queue = queues.get(address) ?? { proven: false, freeAt: 0 };
    queues.set(address, queue);
    return queue;
  };
  return {
    waitFor(address, { now, until }) {
      const queue = queueOf(address);
      const perSecond = queue.proven ? serverRates.proven : serverRates.unproven;
      const slot = Math.max(queue.freeAt, now - 1_000) + 1_000 / perSecond;
      if (slot >= until) return null;
      queue.freeAt = slot;
      return Math.max(0, slot - now);
    },
    answered(address) {
      queueOf(address).proven = true;
    },
  };
}
