import type { DnsFacts } from '../dns-facts.ts';
import type { CaIdentity, DesiredDns, DnsVerdict } from './dns-verdict.ts';
import { evaluateDns } from './evaluate-dns.ts';

/** An ACME account that certificates may be ordered with, and who CAA records have to permit for it. */
export interface AccountIdentity {
  /** null where the issuer has one account alone, without a name */
  readonly name: string | null;
  readonly ca: CaIdentity;
}

/**
 * Evaluates what a check found where any of some accounts may order: CAA says yes where it permits one of them, and no where it
 * permits none. What has to be changed is said for the first of them, as one record is enough. Pure.
 */
export function evaluateForAccounts(
  facts: DnsFacts,
  wanted: DesiredDns,
  [preferred, ...others]: readonly AccountIdentity[],
): DnsVerdict {
  if (!preferred || wanted.ca === null) return evaluateDns(facts, wanted);
  const of = ({ name, ca }: AccountIdentity) => ({ name, verdict: evaluateDns(facts, { ...wanted, ca }) });
  const first = of(preferred);
  if (others.length === 0) return first.verdict;
  const all = [first, ...others.map(of)];
  const permitted = all.filter(({ verdict }) => verdict.caa.verdict === 'yes');
  const unknown = all.find(({ verdict }) => verdict.caa.verdict === 'unknown');
  const { verdict } = permitted[0] ?? unknown ?? first;
  if (permitted.length === 0 || permitted.length === all.length) return verdict;
  return Object.freeze({ ...verdict, permittedAccounts: permitted.flatMap(({ name }) => name ?? []) });
}
