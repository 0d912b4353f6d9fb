import { evict } from './evict-oldest.ts';

/**
 * What the process has learned about name servers, by address: how fast they answer and whether they understand EDNS.
 * Shared by all checks. Times are milliseconds of one monotonic clock.
 */
export interface ServerMemory {
  /** How long to wait for the answer to the n-th try of a query, counted from 0. */
  timeoutMs(address: string, attempt: number): number;
  /** Smoothed round-trip time; undefined for a server that has not answered yet. */
  roundTripMs(address: string): number | undefined;
  noteRoundTrip(address: string, ms: number): void;
  /** All tries of a query timed out: what was known of its round trips no longer holds. */
  noteSilence(address: string): void;
  /** False for a while after queries with EDNS failed there and the same ones without it did not. */
  speaksEdns(address: string, now: number): boolean;
  noteWithoutEdns(address: string, now: number): void;
}

/**
 * The first timeout of an unknown server lets an answer from the other side of the world arrive; further ones follow
 * RFC 6298 (smoothed round-trip time and four times its variation, doubled with each try).
 */
const serverMemoryLimits = Object.freeze({
  firstTimeoutMs: 400,
  leastTimeoutMs: 200,
  longestTimeoutMs: 1_000,
  withoutEdnsMs: 900_000,
  addresses: 20_000,
});

interface Server {
  smoothedMs: number | null;
  variationMs: number;
  withoutEdnsUntil: number;
}

export function createServerMemory(): ServerMemory {
  const servers = new Map<string, Server>();
  const known = (address: string): Server => {
    const server = servers.get(address) ?? { smoothedMs: null, variationMs: 0, withoutEdnsUntil: 0 };
    servers.delete(address);
    servers.set(address, server);
    evict(servers, serverMemoryLimits.addresses);
    return server;
  };
  return {
    timeoutMs(address, attempt) {
      const { firstTimeoutMs, leastTimeoutMs, longestTimeoutMs } = serverMemoryLimits;
      const { smoothedMs = null, variationMs = 0 } = servers.get(address) ?? {};
      const expected = smoothedMs === null ? firstTimeoutMs : smoothedMs + 4 * variationMs;
      return Math.min(longestTimeoutMs, Math.max(leastTimeoutMs, expected) * 2 ** attempt);
    },
    roundTripMs: (address) => servers.get(address)?.smoothedMs ?? undefined,
    noteRoundTrip(address, ms) {
      const server = known(address);
      if (server.smoothedMs === null) {
        server.smoothedMs = ms;
        server.variationMs = ms / 2;
        return;
      }
      server.variationMs += (Math.abs(server.smoothedMs - ms) - server.variationMs) / 4;
      server.smoothedMs += (ms - server.smoothedMs) / 8;
    },
    noteSilence(address) {
      const server = servers.get(address);
      if (server) server.smoothedMs = null;
    },
    speaksEdns: (address, now) => (servers.get(address)?.withoutEdnsUntil ?? 0) <= now,
    noteWithoutEdns(address, now) {
      known(address).withoutEdnsUntil = now + serverMemoryLimits.withoutEdnsMs;
    },
  };
}
