import type { Exchange } from '../../src/dns/wire/dns-exchange.ts';

/** Far longer than any machine takes beside the delay of a server. */
const longMs = 20_000;

/**
 * The same exchange, in which a server that takes less than the client waits for is waited for, however busy the machine is. One that takes longer is too late, as it
 * can only take longer still. `delays`: how long each takes, by its address, milliseconds.
 */
export const withKnownDelays =
  (exchange: Exchange, delays: ReadonlyMap<string, number>): Exchange =>
  (server, question, options) => {
    const isInTime = (delays.get(server.address) ?? Infinity) < options.timeoutMs;
    return exchange(server, question, isInTime ? { ...options, timeoutMs: longMs } : options);
  };
