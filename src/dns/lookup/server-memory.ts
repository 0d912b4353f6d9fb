import { createBoundedMap } from '../../lib/bounded-map.ts';

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
  /** The server refused a query with EDNS, and answered the same one without it. */
  noteWithoutEdns(address: string, now: number): void;
  /** True until the server has answered a query with EDNS: a timeout may be for EDNS. */
  mayDropEdns(address: string): boolean;
  noteEdns(address: string): void;
  /**
   * A query whose first try had EDNS, sent at `from` or later, timed out and was answered without. That may have been a
   * lost packet; it was not if the server had then been heard without EDNS before.
   */
  noteDroppedEdns(address: string, times: { readonly from: number; readonly to: number }): void;
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

class Server {
  smoothedMs: number | null = null;
  variationMs = 0;
  withoutEdnsUntil = 0;
  answeredEdns = false;
  /** when it first answered without EDNS what it had not answered with it */
  heardWithoutEdnsAt: number | null = null;
}

export function createServerMemory(): ServerMemory {
  const servers = createBoundedMap<Server>(serverMemoryLimits.addresses);
  const known = (address: string): Server => {
    const server = servers.get(address) ?? new Server();
    servers.set(address, server);
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
      if (!server) return;
      server.smoothedMs = null;
      server.answeredEdns = false;
    },
    speaksEdns: (address, now) => (servers.get(address)?.withoutEdnsUntil ?? 0) <= now,
    noteWithoutEdns(address, now) {
      known(address).withoutEdnsUntil = now + serverMemoryLimits.withoutEdnsMs;
    },
    mayDropEdns: (address) => !(servers.get(address)?.answeredEdns ?? false),
    noteEdns(address) {
      const server = known(address);
      server.answeredEdns = true;
      server.heardWithoutEdnsAt = null;
    },
    noteDroppedEdns(address, { from, to }) {
      const server = known(address);
      const heardAt = server.heardWithoutEdnsAt;
      server.heardWithoutEdnsAt = heardAt ?? to;
      if (heardAt !== null && heardAt <= from) server.withoutEdnsUntil = to + serverMemoryLimits.withoutEdnsMs;
    },
  };
}
