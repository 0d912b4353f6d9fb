import { BlockList } from 'node:net';

/** Connections of one network that are accepted in a period, while it holds unusually many. */
const acceptedAtMost = 16;
const periodMs = 250;

export interface NewcomerBoundOptions {
  /** whose connections count together; null for one that has no bound */
  readonly networkOf: (address: string) => string | null;
  readonly holdsUnusuallyMany: (network: string) => boolean;
  /** milliseconds of a clock that never goes back */
  readonly elapsed: () => number;
}

/**
 * For the `blockList` of a server: node:net asks it before anything is made for a connection, and closes what it blocks. It
 * bounds what one network can make a server spend on new connections. A connection that is accepted costs several times the processor time of one that
 * is closed before a socket and a parser are made for it, and libuv accepts them in their order: whoever opens thousands would
 * be waited for by everybody behind them.
 */
export function createNewcomerBound(options: NewcomerBoundOptions): BlockList {
  const { networkOf, holdsUnusuallyMany, elapsed } = options;
  const accepted = new Map<string, number>();
  let endsAt = elapsed();
  const check = (address: string): boolean => {
    const network = networkOf(address);
    if (network === null || !holdsUnusuallyMany(network)) return false;
    if (elapsed() >= endsAt) {
      endsAt = elapsed() + periodMs;
      accepted.clear();
    }
    const count = (accepted.get(network) ?? 0) + 1;
    accepted.set(network, count);
    return count > acceptedAtMost;
  };
  return Object.assign(new BlockList(), { check });
}
