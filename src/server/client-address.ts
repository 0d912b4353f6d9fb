import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** Proxies further away than this are not looked for. */
const hopsAtMost = 20;

/** Whose budget a request without a key spends: the address that connected, or that a trusted proxy forwards for. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** IPv4-mapped IPv6 addresses are the IPv4 address they hold. */
const plain = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** Whether an address lies in one of the ranges. Families are kept apart, as BlockList takes IPv4 for IPv4-mapped IPv6. */
function trustedPeers(trustedRanges: readonly string[]): (address: string | undefined) => boolean {
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
 * X-Forwarded-For is believed only as far as configured proxies wrote it: from its end, the first address that is no
 * proxy.
 */
export function clientAddress(trustedRanges: readonly string[]): ClientAddress {
  const isTrusted = trustedPeers(trustedRanges);
  return (peer, forwardedFor) => {
    const hops = (forwardedFor ?? '')
      .split(',')
      .slice(-hopsAtMost)
      .map((hop) => plain(hop.trim()));
    const way = [...hops, plain(peer ?? '')].filter((hop) => isIP(hop) !== 0);
    const client = way.findLast((hop) => !isTrusted(hop)) ?? way[0] ?? 'unknown';
    return isIP(client) === 6 ? network(client) : client;
  };
}

/** A customer's IPv6 network, the first 56 bits: a single address of it is worth nothing. */
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
 * Whether a request came to a trusted proxy over HTTPS: the last word of X-Forwarded-Proto, which the nearest proxy wrote.
 * Nobody else's word is taken.
 */
export function forwardedHttps(trustedRanges: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = trustedPeers(trustedRanges);
  return ({ socket, headers }) => {
    const given = headers['x-forwarded-proto'];
    const last = typeof given === 'string' ? given.split(',').at(-1)?.trim().toLowerCase() : undefined;
    return last === 'https' && isTrusted(socket.remoteAddress);
  };
}

/** Tells once of a peer that forwards for others and is not trusted: to the quota all of its clients are one address. */
export function noticeUntrusted(
  trustedRanges: readonly string[],
  tell: (peer: string) => void,
): (request: IncomingMessage) => void {
  const isTrusted = trustedPeers(trustedRanges);
  let told = false;
  return ({ socket, headers }) => {
    if (told || headers['x-forwarded-for'] === undefined || isTrusted(socket.remoteAddress)) return;
    told = true;
    tell(socket.remoteAddress ?? 'unknown');
  };
}
