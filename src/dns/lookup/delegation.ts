import type { DifferingDelegations } from '../dns-facts.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { Response } from '../wire/dns-message.ts';
import type { ServerAnswer } from './query-servers.ts';
import type { ZoneServer } from './zone-cut.ts';
import { confirmingServers, isInZone } from './zone-cut.ts';

/** The combined answer of a zone's servers about a name below it: is a child zone delegated there, and to whom? */
export type Delegation =
  | { readonly kind: 'silent' }
  | { readonly kind: 'differing'; readonly differing: DifferingDelegations }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'cut';
      readonly names: readonly string[];
      /** the least TTL of its NS records, seconds */
      readonly ttl: number;
      /** addresses by server name, IPv4 first; only for names within the parent zone (in bailiwick) */
      readonly glue: ReadonlyMap<string, readonly string[]>;
      /** servers of the parent that also serve the child */
      readonly own: readonly ZoneServer[];
      /** number of parent servers, by address, that gave the same delegation */
      readonly agreeing: number;
    };

/** True for an authoritative response and for a delegation of this name; anything else comes from a lame server. */
export const isUsableAbout =
  (name: string) =>
  (response: Response): boolean =>
    (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') &&
    (response.authoritative || isReferral(response, name));

/** True for a non-authoritative response that names the servers of the zone at this name. */
export const isReferral = ({ authoritative, answers, authorities }: Response, name: string): boolean =>
  !authoritative && answers.length === 0 && authorities.some((record) => record.type === 'NS' && record.name === name);

interface ServerView {
  readonly server: ZoneServer;
  readonly endpoint: Endpoint;
  readonly referral: boolean;
  readonly names: readonly string[];
  /** the least TTL of the NS records, seconds; Infinity without any */
  readonly ttl: number;
  /** addresses by `name type` */
  readonly glue: ReadonlyMap<string, readonly string[]>;
}

/**
 * Combines usable answers, which all have to agree. A referral is the parent zone's own data. A server authoritative
 * for both zones answers with the child's data, which counts only when no server sends a referral; those NS sets may
 * differ, as every server named in one of them is queried.
 */
export function delegationOf(answers: readonly ServerAnswer[], name: string, parent: string): Delegation {
  if (answers.length === 0) return { kind: 'silent' };
  const views = answers.map((answer) => viewOf(answer, name, parent));
  const referrals = views.filter(({ referral }) => referral);
  const ofChild = views.filter(({ referral, names }) => !referral && names.length > 0);
  const none = views.filter(({ names }) => names.length === 0);
  if (referrals.length + ofChild.length === 0) return { kind: 'none' };
  const deciding = referrals.length > 0 ? referrals : ofChild;
  if (none.length > 0 || !sameNames(referrals) || !sameGlue(deciding)) return differing(name, views);
  const names = [...new Set(deciding.flatMap((one) => one.names))].toSorted();
  return {
    kind: 'cut',
    names,
    ttl: Math.min(...deciding.map(({ ttl }) => ttl)),
    glue: addressesByName(deciding),
    own: referrals.length > 0 ? [] : ofChild.map(({ server }) => server),
    agreeing: largestAgreement(deciding),
  };
}

function viewOf({ server, endpoint, response }: ServerAnswer, name: string, parent: string): ServerView {
  const referral = isReferral(response, name);
  const records = (referral ? response.authorities : response.answers).filter(
    (record) => record.type === 'NS' && record.name === name,
  );
  const names = records.map(({ value }) => value).toSorted();
  const ttl = Math.min(...records.map((record) => record.ttl));
  const wanted = new Set(names.filter((one) => isInZone(one, parent)));
  const glue = new Map<string, string[]>();
  for (const { name: owner, type, value } of response.additionals) {
    if ((type !== 'A' && type !== 'AAAA') || !wanted.has(owner)) continue;
    const key = `${owner} ${type}`;
    glue.set(key, [...(glue.get(key) ?? []), value]);
  }
  return { server, endpoint, referral, names: [...new Set(names)], ttl, glue };
}

const namesKey = ({ names }: ServerView): string => names.join(' ');

const sameNames = (views: readonly ServerView[]): boolean => new Set(views.map(namesKey)).size <= 1;

/** Glue may be omitted for lack of space; where it is present it has to be the same. */
function sameGlue(views: readonly ServerView[]): boolean {
  const known = new Map<string, string>();
  return views.every(({ glue }) =>
    [...glue].every(([key, addresses]) => {
      const text = addresses.toSorted().join(' ');
      const before = known.get(key) ?? text;
      known.set(key, text);
      return before === text;
    }),
  );
}

/** Every address of each server, IPv4 before IPv6. */
function addressesByName(views: readonly ServerView[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const type of ['A', 'AAAA']) {
    for (const [key, addresses] of views.flatMap(({ glue }) => [...glue])) {
      const [owner = '', family] = key.split(' ');
      if (family === type) found.set(owner, new Set([...(found.get(owner) ?? []), ...addresses]));
    }
  }
  return new Map([...found].map(([owner, addresses]) => [owner, [...addresses]]));
}

function largestAgreement(views: readonly ServerView[]): number {
  const groups = Map.groupBy(views, namesKey);
  return Math.max(...[...groups.values()].map(confirmingServers));
}

const shownServers = 6;

function differing(zone: string, views: readonly ServerView[]): Delegation {
  const groups = [...Map.groupBy(views, (one) => `${namesKey(one)} ${glueText(one)}`).values()];
  const shown = groups.map((group) => ({
    by: group
      .map(({ server }) => server.name || (server.endpoints[0]?.address ?? ''))
      .toSorted()
      .slice(0, shownServers),
    names: (group[0]?.names ?? []).slice(0, shownServers),
  }));
  return { kind: 'differing', differing: { zone, views: shown.toSorted(byServers).slice(0, shownServers) } };
}

const glueText = ({ glue }: ServerView): string =>
  [...glue]
    .map(([key, addresses]) => `${key} ${addresses.join(' ')}`)
    .toSorted()
    .join();

const byServers = (a: { by: readonly string[] }, b: { by: readonly string[] }): number =>
  a.by.join(' ') < b.by.join(' ') ? -1 : 1;
