import { days } from '../../src/rules/check-schedule.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';

/** The times of the orders that are not renewals, as far as the limits of a week count them; milliseconds. */
export interface FirstOrders {
  add(name: number, now: number): void;
  /** of a registered domain */
  timesOf(domain: string): readonly number[];
  /** The account's in a week, or those below the registered domain if there are more. */
  servedInWeek(name: number, now: number): number;
}

const week = 7 * days;

export function createFirstOrders({ accountOf, registeredDomainOf }: SimulatedHostnames): FirstOrders {
  const times = new Map<string, readonly number[]>();
  const inWeek = (whose: string, now: number) => (times.get(whose) ?? []).filter((at) => at > now - week);
  const payers = (name: number) => [`account ${accountOf(name)}`, registeredDomainOf(name)];
  return {
    add(name, now) {
      for (const payer of payers(name)) times.set(payer, [...inWeek(payer, now), now]);
    },
    timesOf: (domain) => times.get(domain) ?? [],
    servedInWeek: (name, now) => Math.max(...payers(name).map((payer) => inWeek(payer, now).length)),
  };
}
