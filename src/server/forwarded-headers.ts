import type { IncomingMessage } from 'node:http';
import { trustedPeers } from './client-address.ts';

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
