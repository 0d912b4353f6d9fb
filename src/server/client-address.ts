import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { canonicalAddress, network56 } from './canonical-address.ts';
import type { ForwardedHeader } from './forwarded-hops.ts';
import { forwardingOf, hopsFrom, nearestScheme } from './forwarded-hops.ts';

/** The address whose budget a request without a key spends: the peer's, or that of a trusted proxy's client. */
export type ClientAddress = (peer: string | undefined, headers: IncomingHttpHeaders) => string;

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Whether an address is in one of the ranges. One list per family, as BlockList treats IPv4 as IPv4-mapped IPv6. */
export function trustedPeers(trustedRanges: readonly string[]): (address: string | undefined) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of trustedRanges) {
    const [address = '', prefix] = range.split('/');
    const kind = family(address);
    lists[kind].addSubnet(address, Number(prefix ?? (kind === 'ipv4' ? 32 : 128)), kind);
  }
  return (given) => {
    const address = canonicalAddress(given ?? '');
    return address !== null && lists[family(address)].check(address, family(address));
  };
}

/**
 * The client is the nearest hop that is not a trusted proxy, by the header that the trusted proxies write. A hop that cannot be read
 * is not passed over: the client is then whoever told of it, so that nothing before it is believed. The other header is never read,
 * as a proxy passes on what its client wrote there. Without a peer, whose word it would be, nothing is trusted.
 */
export function clientAddress(
  trustedRanges: readonly string[],
  header: ForwardedHeader = 'X-Forwarded-For',
): ClientAddress {
  const isTrusted = trustedPeers(trustedRanges);
  return (peer, headers) => {
    let client = canonicalAddress(peer ?? '');
    if (client === null) return 'unknown';
    if (isTrusted(client))
      for (const hop of hopsFrom(headers, header)) {
        client = hop ?? client;
        if (!isTrusted(client)) break;
      }
    return isIP(client) === 6 ? network56(client) : client;
  };
}

/**
 * Whether a request reached a trusted proxy over HTTPS: the last value of X-Forwarded-Proto, or of `Forwarded`, which the nearest
 * proxy wrote. The header is ignored from any other peer.
 */
export function forwardedHttps(
  trustedRanges: readonly string[],
  header: ForwardedHeader = 'X-Forwarded-For',
): (request: IncomingMessage) => boolean {
  const isTrusted = trustedPeers(trustedRanges);
  return ({ socket, headers }) => nearestScheme(headers, header) === 'https' && isTrusted(socket.remoteAddress);
}

/** Reports the first untrusted peer that sends the header: the quota counts all its clients as one address. */
export function noticeUntrusted(
  trustedRanges: readonly string[],
  report: (peer: string) => void,
  header: ForwardedHeader = 'X-Forwarded-For',
): (request: IncomingMessage) => void {
  const isTrusted = trustedPeers(trustedRanges);
  let isReported = false;
  return ({ socket, headers }) => {
    if (isReported || forwardingOf(headers, header) === undefined || isTrusted(socket.remoteAddress)) return;
    isReported = true;
    report(socket.remoteAddress ?? 'unknown');
  };
}

/** Reports the first trusted peer whose own word of its client cannot be read: the quota counts all its clients as one address. */
export function noticeUnreadable(
  trustedRanges: readonly string[],
  report: (peer: string) => void,
  header: ForwardedHeader = 'X-Forwarded-For',
): (request: IncomingMessage) => void {
  const isTrusted = trustedPeers(trustedRanges);
  let isReported = false;
  return ({ socket, headers }) => {
    if (isReported || forwardingOf(headers, header) === undefined || !isTrusted(socket.remoteAddress)) return;
    if (hopsFrom(headers, header).next().value !== null) return;
    isReported = true;
    report(socket.remoteAddress ?? 'unknown');
  };
}
