import { days } from '../../src/rules/check-schedule.ts';

/** The certificates of very many names, in flat arrays; times in milliseconds. */
export interface CertificateStore {
  readonly lifetime: number;
  /** 0 for a name without one */
  notAfter(name: number): number;
  /** when cert-manager asks for the next one: after two thirds of its life */
  renewsAt(name: number): number;
  /** Share of the lifetime that is left; 1 for a name without a certificate. */
  left(name: number, now: number): number;
  issue(name: number, now: number): void;
  remove(name: number): void;
}

const renewedAfter = 2 / 3;

export function createCertificateStore(names: number, lifetimeDays: number): CertificateStore {
  const lifetime = lifetimeDays * days;
  const ends = new Float64Array(names);
  const notAfter = (name: number): number => ends[name] ?? 0;
  return {
    lifetime,
    notAfter,
    renewsAt: (name) => notAfter(name) - lifetime * (1 - renewedAfter),
    left: (name, now) => (notAfter(name) === 0 ? 1 : (notAfter(name) - now) / lifetime),
    issue(name, now) {
      ends[name] = now + lifetime;
    },
    remove(name) {
      ends[name] = 0;
    },
  };
}
