import { evict } from './evict-oldest.ts';

/**
 * How many packets one server may be sent by the whole process, whatever number of checks lead there: so that a
 * thousand domains that name one victim's address do not make a flood of us. Times are milliseconds of one clock.
 */
export interface ServerRates {
  /** Takes a place in the address's line: how long to wait before the packet may go. */
  waitFor(address: string, now: number): number;
  /** Something came back from the address: it is a name server, and bears the whole rate from now on. */
  answered(address: string): void;
}

/** Packets a second to an address, and at once after a pause: of one that never answered, and of one that did. */
export const serverRates = Object.freeze({ unproven: 20, proven: 200, addresses: 10_000 });

interface Line {
  proven: boolean;
  /** when the line is empty again */
  freeAt: number;
}

export function createServerRates(): ServerRates {
  const lines = new Map<string, Line>();
  const lineOf = (address: string): Line => {
    const line = lines.get(address) ?? { proven: false, freeAt: 0 };
    lines.delete(address);
    lines.set(address, line);
    evict(lines, serverRates.addresses);
    return line;
  };
  return {
    waitFor(address, now) {
      const line = lineOf(address);
      const perSecond = line.proven ? serverRates.proven : serverRates.unproven;
      line.freeAt = Math.max(line.freeAt, now - 1_000) + 1_000 / perSecond;
      return Math.max(0, line.freeAt - now);
    },
    answered(address) {
      lineOf(address).proven = true;
    },
  };
}
