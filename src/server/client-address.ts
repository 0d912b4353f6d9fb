import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** At most this many entries of X-Forwarded-For are read, counted from its end. */
const maxHops = 20;

/** The address whose budget a request without a key spends: the peer's, or that of a trusted proxy's client. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/** The value of X-Forwarded-For; undefined without one. */
export function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-forwarded-for'];
  return Array.isArray(given) ? given.join(',') : given;
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Turns an IPv4-mapped IPv6 address into the IPv4 address. */
const plain = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** Whether an address is in one of the ranges. One list per family, as BlockList treats IPv4 as IPv4-mapped IPv6. */
export function trustedPeers(trustedRanges: readonly string[]): (address: string | undefined) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of trustedRanges) {
    const [address = '', prefix] = range.split('/');
    const kind = family(address);
    lists[kind].addSubnet(address, Number(prefix ?? (kind === 'ipv4' ? 32 : 128)), kind);
  }
  return (given) => {
    const address = plain(given ?? '');
    return isIP(address) !== 0 && lists[family(address)].check(address, family(address));
  };
}

/**
 * X-Forwarded-For is trusted only as far as configured proxies wrote it: the client is the last address that is not a
 * trusted proxy. Without a peer, whose word it would be, nothing is trusted.
 */
export function clientAddress(trustedRanges: readonly string[]): ClientAddress {
  const isTrusted = trustedPeers(trustedRanges);
  return (peer, forwardedFor) => {
    if (peer === undefined) return 'unknown';
    const hops = forwardedFor === undefined ? [] : hopsOf(forwardedFor);
    const route = [...hops, plain(peer)].filter((hop) => isIP(hop) !== 0);
    const [first = 'unknown'] = route;
    const client = route.length < 2 ? first : (route.findLast((hop) => !isTrusted(hop)) ?? first);
    return isIP(client) === 6 ? network(client) : client;
  };
}

const hopsOf = (forwardedFor: string): readonly string[] =>
  forwardedFor
    .split(',')
    .slice(-maxHops)
    .map((hop) => plain(hop.trim()));

/** The /56 network of an IPv6 address: customers get whole networks, so limits per single address would be useless. */
function network(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const all =
    tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  const numbers = all.slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${numbers.map((number, index) => (index === 3 ? number & 0xff00 : number).toString(16)).join(':')}::/56`;
}

/**
 * Whether a request reached a trusted proxy over HTTPS: the last value of X-Forwarded-Proto, which the nearest proxy
 * wrote. The header is ignored from any other peer.
 */
export function forwardedHttps(trustedRanges: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = trustedPeers(trustedRanges);
  return ({ socket, headers }) => {
    const given = headers['x-forwarded-proto'];
    const last = typeof given === 'string' ? given.split(',').at(-1)?.trim().toLowerCase() : undefined;
    return last === 'https' && isTrusted(socket.remoteAddress);
  };
}

/** Reports the first untrusted peer that sends X-Forwarded-For: the quota counts all its clients as one address. */
export function noticeUntrusted(
  trustedRanges: readonly string[],
  report: (peer: string) => void,
): (request: IncomingMessage) => void {
  const isTrusted = trustedPeers(trustedRanges);
  let isReported = false;
  return ({ socket, headers }) => {
    if (isReported || headers['x-forwarded-for'] === undefined || isTrusted(socket.remoteAddress)) return;
    isReported = true;
    report(socket.remoteAddress ?? 'unknown');
  };
}
