import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import type { Project } from '../../generated/project.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import { classesFor } from '../../routing/routing-classes.ts';
import type { ControllerSettings } from '../controller-settings.ts';

/** The routing classes of a domain, as the caches have it. */
export interface DomainClasses {
  /** that are to serve it */
  readonly wanted: readonly string[];
  /** that its route has objects of */
  readonly present: readonly string[];
  /** those of them that are not wanted */
  readonly former: readonly string[];
  /** every address at which it leads to the platform, besides those of its target */
  readonly addresses: readonly string[];
  /** the addresses of the wanted ones, which customers are told */
  readonly told: readonly string[];
  /** other addresses of the platform will not do */
  readonly isChoice: boolean;
}

type Settings = Pick<ControllerSettings, 'routingClasses' | 'platformAddresses'>;

interface ClassSources {
  /** by the account's plan */
  readonly permitted: readonly string[];
  readonly project: Pick<Project, 'spec'> | undefined;
  readonly route: ObservedRoute | undefined;
}

/** By the project's choice and what its route consists of. Pure. */
export function domainClasses(settings: Settings, { permitted, project, route }: ClassSources): DomainClasses {
  const { routingClasses, platformAddresses } = settings;
  const wanted = classesFor(routingClasses, { permitted, named: project?.spec.routingClass });
  const present = route ? routingClasses.ofObjects(route.objects) : [];
  const former = present.filter((name) => !wanted.includes(name));
  const told = addressesOf(settings, wanted);
  return Object.freeze({
    wanted,
    present,
    former,
    addresses: unique([...platformAddresses, ...told, ...addressesOf(settings, former)]),
    told,
    isChoice: [...wanted, ...former].some((name) => routingClasses.chosen.has(name)),
  });
}

/** Until when former classes serve a domain, and which are wanted instead: with another choice, other classes are the former ones. */
export interface FormerClasses {
  /** milliseconds since the Unix epoch */
  readonly until: number;
  readonly wanted: string;
}

/** What to remember of a decision; null where nothing is to be ended. */
export const formerClasses = ({ formerUntil }: ServingClasses, { wanted }: DomainClasses): FormerClasses | null =>
  formerUntil === null ? null : { until: formerUntil, wanted: wanted.join() };

/** What was remembered, as far as it is about the same choice. */
export const formerUntilOf = (former: FormerClasses | null, { wanted }: DomainClasses): number | null =>
  former?.wanted === wanted.join() ? former.until : null;

/** Where visitors reach these classes. */
const addressesOf = ({ routingClasses, platformAddresses }: Settings, classes: readonly string[]) =>
  unique(classes.flatMap((name) => routingClasses.chosen.get(name) ?? platformAddresses));

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** The same for whoever says what DNS should be. */
export const addressesFor = ({ addresses, told, isChoice }: DomainClasses) => ({
  platformAddresses: addresses,
  ...(isChoice ? { toldAddresses: told } : {}),
});

/** By which classes a domain is served now. */
export interface ServingClasses {
  /** the wanted ones, and those to which DNS points, or led a while ago */
  readonly classes: readonly string[];
  /** until when former ones serve it, milliseconds since the Unix epoch; null while DNS points there, or may */
  readonly formerUntil: number | null;
}

/** What the decision depends on. */
interface Moving {
  readonly now: number;
  readonly settings: Settings & Pick<ControllerSettings, 'drainMs'>;
  readonly classes: DomainClasses;
  /** as this process remembers it */
  readonly formerUntil: number | null;
  readonly verdict: DnsVerdict | null;
  /** classes to whose Gateways others can attach; absent: none */
  readonly openClasses?: readonly string[];
}

/**
 * A domain is served by the classes that are wanted, and by others as long as DNS points there: so nobody fails while its project moves, and a
 * new one is served at once whose target does not lead to its class yet. A former class serves on until what caches kept is over, and
 * connections had time to end. Classes that only others may choose are never among them, nor is one anew while others can attach to its
 * Gateway. Pure.
 */
export function servingClasses(moving: Moving): ServingClasses {
  const { settings, classes, openClasses = [], now } = moving;
  const { wanted, present, former } = classes;
  const reached = reachedAddresses(moving.verdict);
  const leadsTo = reachedClasses(settings, reached);
  const others = unique([...settings.routingClasses.common, ...former]).filter((name) => !wanted.includes(name));
  const led = others.filter(leadsTo);
  const formerUntil = former.length === 0 ? null : endOfFormer(moving, reached.size === 0 || former.some(leadsTo));
  const kept = formerUntil !== null && now >= formerUntil ? [] : former;
  const isOpen = (name: string) => openClasses.includes(name) && !present.includes(name);
  return { classes: unique([...wanted, ...led, ...kept]).filter((name) => !isOpen(name)), formerUntil };
}

/**
 * Whether these addresses lead to a class. To a common one leads every address that is not of one that is chosen: the addresses of a load
 * balancer change, and nobody lists them.
 */
function reachedClasses({ routingClasses: { chosen } }: Settings, reached: ReadonlySet<string>) {
  const ofChosen = new Set([...chosen.values()].flat());
  const isElsewhere = [...reached].some((address) => !ofChosen.has(address));
  return (name: string): boolean => chosen.get(name)?.some((address) => reached.has(address)) ?? isElsewhere;
}

/** Where a hostname leads that leads here; behind a proxy, where that is led by its target. */
function reachedAddresses(verdict: DnsVerdict | null): ReadonlySet<string> {
  if (verdict?.routing.verdict !== 'yes') return new Set();
  if (!isSeen(verdict)) return new Set(verdict.targetAddresses);
  return new Set(verdict.discovered.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ value }) => value));
}

/** DNS shows to which edge it leads. */
const isSeen = ({ routing: { verdict, by } }: DnsVerdict): boolean =>
  verdict === 'yes' && (by === 'target' || by === 'addresses');

function endOfFormer({ verdict, formerUntil, settings, now }: Moving, mayLeadThere: boolean): number | null {
  if (verdict === null) return formerUntil;
  if (mayLeadThere || !isSeen(verdict)) return null;
  const cachedMs = Math.max(0, ...verdict.chain.map(({ ttl }) => ttl)) * 1_000;
  return formerUntil ?? now + Math.min(cachedMs, longestCachedMs) + settings.drainMs;
}

/** More than most resolvers keep a record. */
const longestCachedMs = 24 * 3_600_000;
