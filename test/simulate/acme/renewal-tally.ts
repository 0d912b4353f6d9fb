import { hours } from '../../../src/rules/check-schedule.ts';
import type { IssuedCertificate, Window } from './simulated-authority.ts';
import type { SimulatedOperator } from './simulated-operator.ts';

/** What became of all certificates. Times in milliseconds. */
export interface RenewalReport {
  readonly domains: number;
  readonly certificates: number;
  readonly renewals: number;
  /** domains that were without a valid certificate at some time after their first one */
  readonly expired: number;
  /** domains that never had one */
  readonly never: number;
  /** least that was left of a certificate when the next one was issued; of all, and of those that no outage concerned */
  readonly leastLeft: number;
  readonly leastLeftElse: number;
  /** renewals before and after the window that the authority suggested, and within it */
  readonly early: number;
  readonly late: number;
  readonly within: number;
  /** of those after it, how many whose window an outage overlapped, and the latest after its end */
  readonly lateByOutage: number;
  readonly latest: number;
  /** renewals that the authority suggested for at once, and the latest of them after that */
  readonly recalled: number;
  readonly latestRecalled: number;
  /** orders that the authority took, of one name at most and all together; a name's renewals and first one are as many certificates */
  readonly orders: number;
  readonly mostOfOne: number;
  /** orders that ended without a certificate */
  readonly failedValidations: number;
  /** orders that the authority refused by its limits */
  readonly refusals: number;
  readonly reconciles: number;
  readonly faults: number;
}

interface Tallied {
  readonly issued: readonly IssuedCertificate[];
  readonly orders: ReadonlyMap<string, number>;
  readonly failedValidations: number;
  readonly refusals: number;
  readonly windowOf: (certificate: IssuedCertificate) => Window;
  /** when every certificate from before was to be renewed at once */
  readonly recalledAt: number;
  readonly outages: readonly { readonly from: number; readonly to: number }[];
  readonly end: number;
  readonly domains: number;
  readonly operator: SimulatedOperator;
}

interface Renewal {
  readonly before: IssuedCertificate;
  readonly at: number;
}

/** Reads what happened from the authority's own books. */
export function tallyRenewals(given: Tallied): RenewalReport {
  const { issued, orders, windowOf, recalledAt, outages, operator } = given;
  const byName = Map.groupBy(issued, ({ hostname }) => hostname);
  const renewals = [...byName.values()].flatMap((all) =>
    all.slice(1).map((next, index): Renewal => ({ before: all[index] as IssuedCertificate, at: next.notBefore })),
  );
  const isRecalled = ({ before, at }: Renewal) =>
    before.notBefore < recalledAt && at >= recalledAt && windowOf(before).start > recalledAt;
  const [recalled, usual] = [renewals.filter(isRecalled), renewals.filter((renewal) => !isRecalled(renewal))];
  /** It is asked again an hour after it did not answer. */
  const isHit = ({ before, at }: Renewal) =>
    outages.some(({ from, to }) => from <= at && windowOf(before).start <= to + 1 * hours);
  const late = usual.filter(({ before, at }) => at > windowOf(before).end);
  const early = usual.filter(({ before, at }) => at < windowOf(before).start);
  const left = ({ before, at }: Renewal) => before.notAfter - at;
  return Object.freeze({
    domains: given.domains,
    certificates: issued.length,
    renewals: renewals.length,
    expired: [...byName.values()].filter((all) => hasGap(all, given.end)).length,
    never: given.domains - byName.size,
    leastLeft: Math.min(...renewals.map(left)),
    leastLeftElse: Math.min(...renewals.filter((renewal) => !isHit(renewal)).map(left)),
    early: early.length,
    late: late.length,
    within: usual.length - late.length - early.length,
    lateByOutage: late.filter(isHit).length,
    latest: Math.max(0, ...late.map(({ before, at }) => at - windowOf(before).end)),
    recalled: recalled.length,
    latestRecalled: Math.max(0, ...recalled.map(({ at }) => at - recalledAt)),
    orders: [...orders.values()].reduce((sum, count) => sum + count, 0),
    mostOfOne: Math.max(0, ...orders.values()),
    failedValidations: given.failedValidations,
    refusals: given.refusals,
    reconciles: [...operator.reconciles.values()].reduce((sum, count) => sum + count, 0),
    faults: operator.faults.length,
  });
}

/** True where a certificate ended before the next one began, or before the end. */
const hasGap = (all: readonly IssuedCertificate[], end: number): boolean =>
  all.some(({ notAfter }, index) => notAfter < (all[index + 1]?.notBefore ?? end));
