import { days, minutes } from '../../src/rules/check-schedule.ts';
import type { OrderCandidate } from '../../src/rules/order-ledger/allocation.ts';
import { allocateOrders } from '../../src/rules/order-ledger/allocation.ts';
import type { OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';
import { createAuthorityPause } from './authority-pause.ts';
import { createAuthority } from './certificate-authority.ts';
import { createCertificateStore } from './certificate-store.ts';
import { createFailedOrders } from './failed-orders.ts';
import { createFirstOrders } from './first-orders.ts';
import { mayOrder } from './order-gate.ts';
import { createOrderWindow } from './order-window.ts';
import { createTally } from './certificate-tally.ts';
import type { CertificateReport } from './certificate-tally.ts';
import { createTimerWheel } from './timer-wheel.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';
import type { SimulatedFault } from './simulated-faults.ts';
import { dnsAt } from './simulated-faults.ts';

export interface CertificateScenario {
  readonly hostnames: SimulatedHostnames;
  readonly faults: readonly SimulatedFault[];
  readonly days: number;
  readonly lifetimeDays: number;
  readonly limits: OrderLimits;
  /** part of the names that are removed and added anew within a year */
  readonly replacedPerYear: number;
}

/** How often the ledger allocates orders; the operator does so with each change. */
const round = minutes;
/** A renewal whose look does not allow an order is looked at again after this. */
const lookAgain = 15 * minutes;

const purposes = { age: 11, isReplaced: 12, replacedAt: 13 } as const;

/**
 * A time of certificates: every name is renewed when cert-manager would, ordered when the operator's look and ledger
 * allow, and refused or issued by an authority that keeps its own limits. It starts with certificates of all ages.
 * Times are milliseconds from the start.
 */
export function simulateCertificates(scenario: CertificateScenario): CertificateReport {
  const { hostnames, faults, limits, lifetimeDays } = scenario;
  const { size } = hostnames;
  const end = scenario.days * days;
  const slots = Math.ceil(end / round);
  const certificates = createCertificateStore(size, lifetimeDays);
  const authority = createAuthority(faults, limits);
  const window = createOrderWindow(limits);
  const firsts = createFirstOrders(hostnames);
  const failed = createFailedOrders(limits);
  const tally = createTally(size, certificates);
  const due = createTimerWheel(size, slots);
  const replaced = createTimerWheel(size, slots);
  const waiting = new Map<number, OrderCandidate>();
  const pause = createAuthorityPause();

  const slotOf = (time: number): number => Math.ceil(time / round);
  const start = () => {
    for (let name = 0; name < size; name += 1) {
      certificates.issue(name, -hostnames.chance(name, purposes.age) * certificates.lifetime * (2 / 3));
      due.schedule(name, slotOf(certificates.renewsAt(name)));
      if (hostnames.chance(name, purposes.isReplaced) < (scenario.replacedPerYear * scenario.days) / 365)
        replaced.schedule(name, Math.floor(hostnames.chance(name, purposes.replacedAt) * slots));
    }
  };
  const replace = (name: number, now: number) => {
    certificates.remove(name);
    failed.forget(name);
    due.cancel(name);
    waiting.delete(name);
    tally.asked(name, now);
    ask(name, now);
  };
  /** cert-manager asks for a certificate: the request waits for its order once a look allows it. */
  const ask = (name: number, now: number) => {
    const renewal = { now, notAfter: certificates.notAfter(name), lifetime: certificates.lifetime };
    const may = mayOrder(dnsAt(faults, name, now), renewal);
    if (may === 'no') due.schedule(name, slotOf(now + lookAgain));
    else waiting.set(name, candidateOf(name, now));
  };
  const kindOf = (name: number) => (certificates.notAfter(name) === 0 ? 'First' : 'Renewal');
  const candidateOf = (name: number, now: number): OrderCandidate => ({
    request: String(name),
    hostname: `${name}.example`,
    account: hostnames.accountOf(name),
    domain: hostnames.registeredDomainOf(name),
    weight: 1,
    kind: kindOf(name),
    served: 0,
    priority: kindOf(name) === 'First' ? now : certificates.notAfter(name),
  });
  /** A renewal is not compared by what its account was served, so its candidate never changes. */
  const current = (candidate: OrderCandidate, now: number): OrderCandidate =>
    candidate.kind === 'Renewal'
      ? candidate
      : { ...candidate, served: firsts.servedInWeek(Number(candidate.request), now) };
  const order = (name: number, now: number) => {
    const kind = kindOf(name);
    waiting.delete(name);
    const unconfirmed = dnsAt(faults, name, now) !== 'yes';
    const outcome = authority.order(name, now);
    const isIssued = outcome === 'Issued';
    const [account, domain] = [hostnames.accountOf(name), hostnames.registeredDomainOf(name)];
    window.add({ at: now, kind, account, domain, outcome: isIssued ? 'Issued' : 'Failed' });
    tally.ordered({ name, kind, outcome, unconfirmed }, now);
    pause.ordered(outcome, now);
    if (!isIssued) {
      due.schedule(name, slotOf(failed.fail(name, now)));
      return;
    }
    failed.forget(name);
    if (kind === 'First') firsts.add(name, now);
    certificates.issue(name, now);
    due.schedule(name, slotOf(certificates.renewsAt(name)));
  };
  const allocate = (now: number) => {
    const atOnce = pause.grantsAtOnce(now);
    if (waiting.size === 0 || atOnce === 0) return;
    const candidates = [...waiting.values()].map((candidate) => current(candidate, now));
    const domainTimes = (domain: string) => firsts.timesOf(domain);
    const granted = allocateOrders(candidates, { tally: window.usageAt(now), domainTimes, limits, now });
    for (const { request } of granted.slice(0, atOnce)) order(Number(request), now);
  };

  start();
  for (let slot = 0; slot < slots; slot += 1) {
    const now = slot * round;
    for (const name of replaced.drain(slot)) replace(name, now);
    for (const name of due.drain(slot)) ask(name, now);
    allocate(now);
    tally.waiting(waiting.size);
  }
  return tally.report(authority, end);
}
