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
export function clientAddress(trustedRanges: readonly string[], header: ForwardedHeader): ClientAddress {
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
  header: ForwardedHeader,
): (request: IncomingMessage) => boolean {
  const isTrusted = trustedPeers(trustedRanges);
  return ({ socket, headers }) => nearestScheme(headers, header) === 'https' && isTrusted(socket.remoteAddress);
}

/**
 * Why the quota counts all clients of a peer as one address: it sends the header and is not trusted, or it is, and its own word of its client
 * cannot be read.
 */
export type ForwardingFault = 'untrusted' | 'unreadable';

/** Reports the first peer that has each of the faults. */
export function noticeForwarding(
  trustedRanges: readonly string[],
  header: ForwardedHeader,
  report: (fault: ForwardingFault, peer: string) => void,
): (request: IncomingMessage) => void {
  const isTrusted = trustedPeers(trustedRanges);
  const open = new Set<ForwardingFault>(['untrusted', 'unreadable']);
  return ({ socket, headers }) => {
    if (open.size === 0 || forwardingOf(headers, header) === undefined) return;
    const fault = isTrusted(socket.remoteAddress) ? 'unreadable' : 'untrusted';
    if (!open.has(fault) || (fault === 'unreadable' && hopsFrom(headers, header).next().value !== null)) return;
    open.delete(fault);
    report(fault, socket.remoteAddress ?? 'unknown');
  };
}
