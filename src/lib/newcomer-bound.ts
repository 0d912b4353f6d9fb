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

/**
 * The network whose sockets count together: an IPv4 address, also where it is mapped into IPv6, or the /56 of an IPv6 address, as
 * customers get whole networks. `unknown` for a socket that has no peer any more.
 */
export function peerNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const [first, second, third, fourth = '0'] = [...before, ...zeros, ...after];
  return `${first}:${second}:${third}:${(Number.parseInt(fourth, 16) & 0xff00).toString(16)}::/56`;
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
