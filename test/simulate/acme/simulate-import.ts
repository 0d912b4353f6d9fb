import { hours } from '../../../src/rules/check-schedule.ts';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import type { OrderLimits } from '../../../src/rules/order-ledger/order-limits.ts';
import { createBoulderLimits } from '../../support/boulder-limits.ts';
import type { Fate } from './import-names.ts';
import { fateOf, hostnameOf } from './import-names.ts';
import type { ImportReport } from './import-tally.ts';
import { createImportTally } from './import-tally.ts';
import { createMemoryObjects } from './memory-objects.ts';
import { createSimulatedAuthority, windowAround } from './simulated-authority.ts';
import { startCertManager } from './simulated-cert-manager.ts';
import type { DnsFinding } from './simulated-dns.ts';
import { createSimulatedDns } from './simulated-dns.ts';
import { createCustomers, settingsOf } from './simulated-installation.ts';
import { startOperator } from './simulated-operator.ts';
import { createVirtualTime } from './virtual-time.ts';

export interface ImportScenario {
  readonly domains: number;
  /** what the ledger goes by */
  readonly limits: OrderLimits;
  /** what the authority goes by; the same when absent */
  readonly authorityLimits?: OrderLimits;
  readonly hours: number;
}

/** Plan pro lets each of them have a thousand. */
const accounts = 10;
const start = Date.parse('2027-01-01T00:00:00Z');

/** So many names of ten accounts are added within ten minutes: how that goes at an authority that keeps Let's Encrypt's limits. */
export async function simulateImport(scenario: ImportScenario): Promise<ImportReport> {
  const { domains, limits, authorityLimits = limits, hours: length } = scenario;
  const time = createVirtualTime(start);
  const counting = createBoulderLimits(authorityLimits);
  const indexes = new Map(Array.from({ length: domains }, (_, index) => [hostnameOf(index), index]));
  const fateOfName = (hostname: string): Fate => fateOf(indexes.get(hostname) ?? 0);
  const authority = createSimulatedAuthority({
    now: time.now,
    lifetimeMs: 90 * 24 * hours,
    limits: counting,
    isAway: () => false,
    validate: (hostname) => (fateOfName(hostname) === 'right' ? null : 'connection'),
    windowOf: windowAround,
  });
  const settings = settingsOf(limits, domains / 86_400);
  const objects = createMemoryObjects(settings.routes, time.now);
  startCertManager({
    objects,
    time,
    validityOf: (request) => {
      const url = orderOf(objects, request);
      return authority.issued.findLast(({ order }) => order === url);
    },
  });
  const finding = (hostname: string): DnsFinding => {
    const fate = fateOfName(hostname);
    return fate === 'walled' ? 'right' : fate;
  };
  const account = authority.registered;
  const tally = createImportTally(objects.stores);
  const operator = startOperator({
    objects,
    time,
    settings,
    account,
    dns: createSimulatedDns({ findingOf: finding, resolversAnswer: () => true }),
    ledgerEveryMs: 30_000 + domains * 20,
  });
  const add = createCustomers({ objects, now: time.now, accountUrl: account.acme.url });
  for (const [hostname, index] of indexes)
    time.at(start + (index / domains) * (hours / 6), () =>
      add({ account: `a${index % accounts}`, project: `p${index}`, hostname }),
    );
  await time.runUntil(start + length * hours);
  return tally.report({
    orders: authority.orders,
    busiest: counting.busiest,
    refusals: counting.refusals,
    reconciles: [...operator.reconciles.values()].reduce((sum, count) => sum + count, 0),
    faults: operator.faults.length,
    hostnames: [...indexes.keys()],
    fateOf: fateOfName,
  });
}

/** The order at the authority that was placed for a request, by the claims that remember both. */
function orderOf({ stores }: Objects, { metadata }: CertificateRequest): string | undefined {
  const name = metadata.ownerReferences?.[0]?.name ?? '';
  const certificate = stores.certificates.get({ namespace: metadata.namespace ?? '', name });
  const claim = certificate && stores.claims.get({ namespace: '', name: certificate.spec.dnsNames?.[0] ?? '' });
  return claim?.spec.orders?.find(({ request }) => request === metadata.uid)?.acme?.order;
}

type Objects = ReturnType<typeof createMemoryObjects>;
