import { days, hours } from '../../src/rules/check-schedule.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';

/** What the DNS of a hostname says about it, to us and to the certificate authority alike. */
export type DnsAnswer = 'yes' | 'no' | 'unknown';

/** Something that breaks in the world, between two times in milliseconds from the start of the simulation. */
export interface SimulatedFault {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** what the DNS of the names it touches says meanwhile */
  readonly dns: DnsAnswer;
  /** the certificate authority refuses every order */
  readonly authorityRefuses: boolean;
  touches(name: number): boolean;
}

const nobody = () => false;

/** The faults of a simulation of so many days, in equal distances, so that each has time to end before the next. */
export function simulatedFaults(
  { registryOf, dnsHostOf }: SimulatedHostnames,
  length: number,
): readonly SimulatedFault[] {
  const start = (fifth: number) => ((length * fifth) / 5) * days;
  const fault = (fifth: number, lasts: number, rest: Omit<SimulatedFault, 'from' | 'to'>): SimulatedFault =>
    Object.freeze({ from: start(fifth), to: start(fifth) + lasts, ...rest });
  return [
    fault(1, days, {
      title: 'a registry is down for a day',
      dns: 'unknown',
      authorityRefuses: false,
      touches: (name) => registryOf(name) === 0,
    }),
    fault(2, 12 * hours, {
      title: 'a DNS host refuses its zones for twelve hours',
      dns: 'unknown',
      authorityRefuses: false,
      touches: (name) => dnsHostOf(name) === 7,
    }),
    fault(3, 12 * hours, {
      title: 'a DNS host serves its zones empty for twelve hours',
      dns: 'no',
      authorityRefuses: false,
      touches: (name) => dnsHostOf(name) === 8,
    }),
    fault(4, 6 * hours, {
      title: 'the authority refuses every order for six hours',
      dns: 'yes',
      authorityRefuses: true,
      touches: nobody,
    }),
  ];
}

const isOn = ({ from, to }: SimulatedFault, now: number): boolean => from <= now && now < to;

/** What the DNS of a name says at a moment. */
export const dnsAt = (faults: readonly SimulatedFault[], name: number, now: number): DnsAnswer =>
  faults.find((fault) => fault.dns !== 'yes' && isOn(fault, now) && fault.touches(name))?.dns ?? 'yes';

/** True while the certificate authority refuses every order. */
export const authorityRefuses = (faults: readonly SimulatedFault[], now: number): boolean =>
  faults.some((fault) => fault.authorityRefuses && isOn(fault, now));
