import type { SourceView } from '../../dns-facts.ts';
import { recordsOf } from '../../observed-records.ts';
import type { DnsCode } from '../../../rules/verdict-codes.ts';
import type { CombinableVerdict } from '../combine-views.ts';
import type { RoutedBy } from '../../../rules/next-dns-check.ts';
import type { DesiredDns, DnsVerdict } from '../dns-verdict.ts';

export interface RoutingVerdict extends CombinableVerdict {
  readonly by: DnsVerdict['routing']['by'];
  /**
   * A no by DNS that may be none, as a proxy may stand there. It counts as no wherever views are combined, so that it
   * contradicts a yes of another server; what is left of it at the end is unknown.
   */
  readonly isOpen?: true;
}

export interface RoutingContext {
  readonly wanted: DesiredDns;
  /** addresses that are the platform's */
  readonly ours: ReadonlySet<string>;
}

/** One source's view of one name on the way from the hostname. */
export interface ViewOfName extends SourceView {
  /** the name is the hostname, where an alias hides the name servers and the mail of a domain */
  readonly isApex: boolean;
}

/** The verdict on a name that an alias leads to. */
export type Follow = (alias: string) => RoutingVerdict;

/**
 * One way in which a hostname can lead here, as one source shows it. Null where the source shows nothing of its kind.
 * Pure.
 */
export type RoutingProof = (context: RoutingContext, view: ViewOfName, follow: Follow) => RoutingVerdict | null;

/** A definite view counts as corroborated on its own; `combine` then counts how many views agree. */
export const yes = (by: RoutedBy): RoutingVerdict => ({
  verdict: 'yes',
  code: 'Verified',
  by,
  corroborated: true,
});

export const no = (code: DnsCode): RoutingVerdict => ({ verdict: 'no', code, by: null, corroborated: true });

export const open = (code: DnsCode): RoutingVerdict => ({ ...no(code), isOpen: true });

export const unknown = (code: DnsCode): RoutingVerdict => ({ verdict: 'unknown', code, by: null, corroborated: false });

/** The addresses of one family are not known, so that a yes for those of the other would not hold for all visitors. */
export const isUnanswered = ({ outcomes: { A, AAAA } }: Pick<SourceView, 'outcomes'>): boolean =>
  [A, AAAA].some((outcome) => outcome === undefined || outcome.kind === 'unknown');

/** The addresses that a view shows. */
export const addressesIn = ({ outcomes: { A, AAAA } }: Pick<SourceView, 'outcomes'>): readonly string[] =>
  [A, AAAA].flatMap(recordsOf).flatMap(({ type, value }) => (type === 'CNAME' ? [] : [value]));
