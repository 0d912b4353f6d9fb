import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { DomainHead } from './domain-head.ts';
import { isLeaving } from './leaving.ts';
import { servesAsPrimary } from './domain-head.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { isWildcard } from './wildcard.ts';

/** Creation time assumed for a domain that does not exist yet: it ranks behind all that do. */
export const notYet = '9999-12-31T23:59:59Z';

/** Decides between competitors: first the held claim, then the older proof, then the older object, then the name. */
export interface Precedence {
  readonly held: boolean;
  /** when the claim was proved, RFC 3339; '' without a proof */
  readonly provedAt: string;
  readonly createdAt: string;
  /** namespace/name */
  readonly key: string;
}

/** Another ProjectDomain that competes for the same hostname or for a place in the same project. */
export interface Competitor {
  readonly namespace: string;
  readonly name: string;
  readonly hostname: string;
  readonly role: 'Primary' | 'Redirect';
  /** it is the primary that visitors get; absent: it is not */
  readonly servesAsPrimary?: boolean;
  readonly precedence: Precedence;
}

/** What the competitors of one account are ranked by; the account's id is undefined while the Account is not found. */
export interface CompetitionContext {
  readonly accountId: string | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
}

const last = '9999';

/** Negative when `a` goes before `b`; never 0 for two different objects. */
export function comparePrecedence(a: Precedence, b: Precedence): number {
  if (a.held !== b.held) return a.held ? -1 : 1;
  return (
    compareText(a.provedAt || last, b.provedAt || last) ||
    compareText(a.createdAt, b.createdAt) ||
    compareText(a.key, b.key)
  );
}

/** The same of two primaries: the one that serves goes on serving, whoever proved first. */
export function comparePrimaries(
  a: Pick<Competitor, 'servesAsPrimary' | 'precedence'>,
  b: Pick<Competitor, 'servesAsPrimary' | 'precedence'>,
): number {
  const [first, second] = [a.servesAsPrimary ?? false, b.servesAsPrimary ?? false];
  if (first !== second) return first ? -1 : 1;
  return comparePrecedence(a.precedence, b.precedence);
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * True when the claim names an object of this namespace and name, whatever the claim's phase. That is the holder only
 * as long as the namespace belongs to the account that proved the hostname, which `isHolder` also checks.
 */
export const namesHolder = (
  claim: { readonly spec: Pick<HostnameClaim['spec'], 'holder'> },
  { metadata }: Pick<DomainHead, 'metadata'>,
): boolean => claim.spec.holder.namespace === metadata.namespace && claim.spec.holder.name === metadata.name;

/** True when the claim belongs to this account and names this object as its holder, whatever the claim's phase. */
export const isHolder = (
  claim: HostnameClaim,
  domain: Pick<DomainHead, 'metadata'>,
  accountId: string | undefined,
): boolean => claim.spec.account === accountId && namesHolder(claim, domain);

/** Rank of a domain of this account; `accountId` is undefined while the Account is not found. */
export function precedenceOf(
  domain: DomainHead,
  claim: HostnameClaim | undefined,
  accountId: string | undefined,
): Precedence {
  const { namespace = '', name, creationTimestamp = '' } = domain.metadata;
  const held = claim?.spec.phase === 'Held' && isHolder(claim, domain, accountId ?? claim.spec.account);
  return {
    held,
    provedAt: held ? claim.spec.proof.at : '',
    createdAt: creationTimestamp,
    key: `${namespace}/${name}`,
  };
}

/**
 * Whether a domain counts against others. One that is being deleted does for as long as its claim says that it holds its hostname: it may be served until
 * its route is gone, whatever keeps the object.
 */
export const competes = (domain: DomainHead, claimOf: () => HostnameClaim | undefined): boolean => {
  if (!isLeaving(domain)) return true;
  const claim = claimOf();
  return claim !== undefined && claim.spec.phase !== 'Tombstone' && namesHolder(claim, domain);
};

/** The others that compete with a domain, without the domain itself; null for all as competitors of each other. */
export function competitorsOf(
  domain: Pick<DomainHead, 'metadata'> | null,
  others: readonly DomainHead[],
  { accountId, claimOf }: CompetitionContext,
): readonly Competitor[] {
  const isSelf = (other: DomainHead) =>
    other.metadata.namespace === domain?.metadata.namespace && other.metadata.name === domain?.metadata.name;
  return others
    .filter((other) => !isSelf(other) && competes(other, () => claimOf(other.spec.hostname)))
    .map((other) => competitorOf(other, claimOf(other.spec.hostname), accountId));
}

/** A domain as a competitor of others. */
export const competitorOf = (domain: DomainHead, claim: HostnameClaim | undefined, accountId?: string): Competitor => ({
  namespace: domain.metadata.namespace ?? '',
  name: domain.metadata.name,
  hostname: domain.spec.hostname,
  role: domain.spec.role ?? 'Primary',
  ...(servesAsPrimary(domain) && { servesAsPrimary: true }),
  precedence: precedenceOf(domain, claim, accountId),
});

/** The siblings on which the acceptance of one of them depends, with this destination. */
type DecidingSiblings = (spec: Pick<ProjectDomain['spec'], 'redirect'>, self: Competitor) => readonly Competitor[];

/**
 * Of the domains of a project those that can cause the rejection of one of them: the first primary, a redirect's destination, and, for one
 * beyond the cap, those that fill the cap. Only these, as a project can have ten thousand domains, and many of them may be asked about.
 */
export function decidingSiblings(all: readonly Competitor[], cap: number): DecidingSiblings {
  const withinCap = firstRanked(all, cap);
  const last = withinCap.at(-1);
  const firstWith = new Map<string, Competitor>();
  let primary: Competitor | undefined;
  for (const one of all) {
    firstWith.set(one.hostname, firstOf(firstWith.get(one.hostname), one));
    if (one.role === 'Primary' && !isWildcard(one.hostname) && (!primary || comparePrimaries(one, primary) < 0))
      primary = one;
  }
  return ({ redirect }, self) => {
    const isBeyond = last !== undefined && inOrder(last, self) < 0;
    const others = [primary, redirect && firstWith.get(redirect.to)].filter((other) => other !== undefined);
    return [...new Set([...(isBeyond ? withinCap : []), ...others])].filter((sibling) => sibling !== self);
  };
}

const inOrder = (a: Competitor, b: Competitor): number => comparePrecedence(a.precedence, b.precedence);

const firstOf = (one: Competitor | undefined, other: Competitor): Competitor =>
  one === undefined || inOrder(other, one) < 0 ? other : one;

/** The first `count` in order, in one pass; none where all are among them. */
function firstRanked(all: readonly Competitor[], count: number): readonly Competitor[] {
  if (all.length <= count) return [];
  let first: Competitor[] = [];
  let bound: Competitor | undefined;
  for (const one of all) {
    if (bound !== undefined && inOrder(one, bound) >= 0) continue;
    first.push(one);
    if (first.length < count * 4) continue;
    first = first.toSorted(inOrder).slice(0, count);
    bound = first.at(-1);
  }
  return first.toSorted(inOrder).slice(0, count);
}
