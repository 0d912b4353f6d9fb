import { maxAliases } from '../observed-records.ts';
import type { AddressRule } from './address-safety.ts';
import type { Allowance } from '../wire/dns-exchange.ts';
import type { Response } from '../wire/dns-message.ts';

/** What one check may cost at most. Retries, also those over TCP, count as packets. */
export const checkLimits = Object.freeze({
  aliases: maxAliases,
  serversPerZone: 13,
  addressesPerServer: 4,
  gluelessLookups: 4,
  packets: 100,
  packetsPerServer: 40,
  records: 4_096,
  bytes: 524_288,
  ms: 6_000,
});

/** What a message counts at least: looking at whether it answers the question costs something too. */
const leastBytes = 512;

/** Counts what a check uses: packets, packets to each server, bytes, records. */
export interface CheckUsage {
  /** packets by address */
  readonly packetsTo: ReadonlyMap<string, number>;
  allowance(address: string): Allowance & { heard(): boolean };
  /** False once more records were received than the check may process. */
  admits(response: Response): boolean;
}

/** `unbounded`: servers that the installation's configuration names; exempt from the limit per server. */
export function createCheckUsage(unbounded: AddressRule): CheckUsage {
  const packetsTo = new Map<string, number>();
  let [packets, bytes, records] = [0, 0, 0];
  return {
    packetsTo,
    allowance: (address) => {
      let heard = false;
      return {
        heard: () => heard,
        packet() {
          const sent = packetsTo.get(address) ?? 0;
          if (packets >= checkLimits.packets || (sent >= checkLimits.packetsPerServer && !unbounded(address)))
            return false;
          packets += 1;
          packetsTo.set(address, sent + 1);
          return true;
        },
        answered: () => void (heard = true),
        bytes(count) {
          bytes += Math.max(count, leastBytes);
          return bytes <= checkLimits.bytes;
        },
      };
    },
    admits(response) {
      records += response.answers.length + response.authorities.length + response.additionals.length;
      return records <= checkLimits.records;
    },
  };
}
