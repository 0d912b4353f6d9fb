import { days, hours } from '../../../src/rules/check-schedule.ts';
import { orderLimits } from '../../support/snapshot.ts';
import { createBoulderLimits } from '../../support/boulder-limits.ts';
import { createMemoryObjects } from './memory-objects.ts';
import type { RenewalReport } from './renewal-tally.ts';
import { tallyRenewals } from './renewal-tally.ts';
import type { IssuedCertificate, Window } from './simulated-authority.ts';
import { createSimulatedAuthority } from './simulated-authority.ts';
import { startCertManager } from './simulated-cert-manager.ts';
import { createSimulatedDns } from './simulated-dns.ts';
import { createCustomers, settingsOf } from './simulated-installation.ts';
import { startOperator } from './simulated-operator.ts';
import { createVirtualTime } from './virtual-time.ts';

export interface RenewalScenario {
  readonly domains: number;
  readonly days: number;
  readonly lifetimeDays: number;
  readonly windowOf: (certificate: IssuedCertificate) => Window;
}

/** Something that fails for a day, for everybody. Times in milliseconds since the start. */
interface Outage {
  readonly what: 'authority' | 'resolvers' | 'DNS hosts' | 'emptied zones';
  readonly from: number;
  readonly to: number;
}

/** In equal distances, so that each has time to end before the next; the last two may be in one part of a lifetime. */
const outagesOf = (length: number): readonly Outage[] =>
  (['authority', 'resolvers', 'DNS hosts', 'emptied zones'] as const).map((what, index) => {
    const from = Math.round(((index + 1) * length) / 6) * days;
    return { what, from, to: from + days };
  });

/** From then on the authority wishes every certificate that it issued before to be renewed at once. */
const recallOf = (length: number): number => Math.round((5 * length) / 6) * days + 5 * hours;

const start = Date.parse('2027-01-01T00:00:00Z');

/**
 * A time of certificates by the operator's own reconcilers, triggers and triage of orders, beside cert-manager's part of the contract and an
 * authority that suggests when to renew, recalls all certificates once, and like the resolvers and everybody's DNS hosts is away for a day.
 */
export async function simulateRenewals(scenario: RenewalScenario): Promise<RenewalReport> {
  const { domains, lifetimeDays } = scenario;
  const time = createVirtualTime(start);
  const lifetimeMs = lifetimeDays * days;
  const outages = outagesOf(scenario.days);
  const recalledAt = start + recallOf(scenario.days);
  const isOn = (what: Outage['what']) =>
    outages.some((one) => one.what === what && start + one.from <= time.now() && time.now() < start + one.to);
  const windowOf = (certificate: IssuedCertificate): Window =>
    time.now() >= recalledAt && certificate.notBefore < recalledAt
      ? { start: recalledAt - 1 * hours, end: recalledAt - hours / 2 }
      : scenario.windowOf(certificate);

  const limits = createBoulderLimits(orderLimits);
  const findingOf = () => (isOn('DNS hosts') ? 'silence' : isOn('emptied zones') ? 'elsewhere' : 'right');
  const authority = createSimulatedAuthority({
    now: time.now,
    lifetimeMs,
    limits,
    isAway: () => isOn('authority'),
    validate: () => (findingOf() === 'right' ? null : 'dns'),
    windowOf,
  });
  const settings = settingsOf(orderLimits, domains / looksEvery);
  const objects = createMemoryObjects(settings.routes, time.now);
  startCertManager({
    objects,
    time,
    validityOf: ({ metadata: { uid = '' } }) => certificateFor(objects, authority.issued, uid),
  });
  const dns = createSimulatedDns({ findingOf, resolversAnswer: () => !isOn('resolvers') });
  const account = authority.registered;
  const operator = startOperator({ objects, time, settings, dns, account, ledgerEveryMs: 1_000 });
  const add = createCustomers({ objects, now: time.now, accountUrl: account.acme.url });
  const firstsWithin = Math.min(lifetimeMs / 2, 20 * days);
  for (let index = 0; index < domains; index += 1)
    time.at(start + (index / domains) * firstsWithin, () =>
      add({ account: `a${index % 20}`, project: `p${index}`, hostname: `www.shop${index}.example` }),
    );
  await time.runUntil(start + scenario.days * days);
  return tallyRenewals({
    issued: authority.issued,
    orders: authority.orders,
    failedValidations: authority.failedValidations,
    refusals: [...limits.refusals.values()].reduce((sum, count) => sum + count, 0),
    windowOf: scenario.windowOf,
    recalledAt,
    outages: outages.map(({ from, to }) => ({ from: start + from, to: start + to })),
    end: time.now(),
    domains,
    operator,
  });
}

/** Seconds between two looks at a Live domain's DNS: the budget of looks is as large as that needs. */
const looksEvery = 6 * 3_600;

type Objects = ReturnType<typeof createMemoryObjects>;

/** The certificate that came of a request's order, by the claim that remembers both. */
function certificateFor({ stores }: Objects, issued: readonly IssuedCertificate[], uid: string) {
  const byOrder = issued.findLast(({ hostname, order }) =>
    stores.claims
      .get({ namespace: '', name: hostname })
      ?.spec.orders?.some((one) => one.request === uid && one.acme?.order === order),
  );
  return byOrder;
}
