import type { DifferingDelegations } from '../dns-facts.ts';
import type { Response } from './dns-message.ts';
import type { ServerAnswer } from './ask-servers.ts';
import type { ZoneServer } from './zone-cut.ts';
import { countOf, lies } from './zone-cut.ts';

/** What the servers of a zone say together of a name below it: is another zone delegated there, and to whom? */
export type Delegation =
  | { readonly kind: 'silent' }
  | { readonly kind: 'differing'; readonly differing: DifferingDelegations }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'cut';
      readonly names: readonly string[];
      /** IPv4 addresses, else IPv6 ones, by server name; only of names that the parent may speak of */
      readonly glue: ReadonlyMap<string, string>;
      /** servers of the parent that serve the child too */
      readonly own: readonly ZoneServer[];
      /** servers of the parent, by address, that said the same */
      readonly agreeing: number;
    };

/** Can the parent's server stand behind it? Not authoritative and no delegation of this name is a lame server. */
export const isUsableAbout =
  (name: string) =>
  (response: Response): boolean =>
    (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') &&
    (response.authoritative || isReferral(response, name));

/** Not from its own zone, but telling whom to ask about the name. */
export const isReferral = ({ authoritative, answers, authorities }: Response, name: string): boolean =>
  !authoritative && answers.length === 0 && authorities.some((record) => record.type === 'NS' && record.name === name);

interface Said {
  readonly server: ZoneServer;
  readonly referral: boolean;
  readonly names: readonly string[];
  /** `name family` to addresses */
  readonly glue: ReadonlyMap<string, readonly string[]>;
}

/**
 * All have to say the same (the answers are those that are usable). A referral is the parent zone's own word; what a
 * server says that is authoritative for both zones is the child's, so it decides only where no server refers, and
 * child's servers may differ: each of them is asked.
 */
export function delegationOf(answers: readonly ServerAnswer[], name: string, parent: string): Delegation {
  if (answers.length === 0) return { kind: 'silent' };
  const said = answers.map((answer) => saidBy(answer, name, parent));
  const referrals = said.filter(({ referral }) => referral);
  const ofChild = said.filter(({ referral, names }) => !referral && names.length > 0);
  const none = said.filter(({ names }) => names.length === 0);
  if (referrals.length + ofChild.length === 0) return { kind: 'none' };
  const deciding = referrals.length > 0 ? referrals : ofChild;
  if (none.length > 0 || !sameNames(referrals) || !sameGlue(deciding)) return differing(name, said);
  const names = [...new Set(deciding.flatMap((one) => one.names))].toSorted();
  return {
    kind: 'cut',
    names,
    glue: firstAddresses(deciding),
    own: referrals.length > 0 ? [] : ofChild.map(({ server }) => server),
    agreeing: largestAgreement(deciding),
  };
}

function saidBy({ server, response }: ServerAnswer, name: string, parent: string): Said {
  const referral = isReferral(response, name);
  const names = (referral ? response.authorities : response.answers)
    .filter((record) => record.type === 'NS' && record.name === name)
    .map(({ value }) => value)
    .toSorted();
  const wanted = new Set(names.filter((one) => lies(one, parent)));
  const glue = new Map<string, string[]>();
  for (const { name: owner, type, value } of response.additionals) {
    if ((type !== 'A' && type !== 'AAAA') || !wanted.has(owner)) continue;
    const key = `${owner} ${type}`;
    glue.set(key, [...(glue.get(key) ?? []), value]);
  }
  return { server, referral, names: [...new Set(names)], glue };
}

const namesKey = ({ names }: Said): string => names.join(' ');

const sameNames = (said: readonly Said[]): boolean => new Set(said.map(namesKey)).size <= 1;

/** Glue may be left out for want of room; where it is given it has to be the same. */
function sameGlue(said: readonly Said[]): boolean {
  const known = new Map<string, string>();
  return said.every(({ glue }) =>
    [...glue].every(([key, addresses]) => {
      const text = addresses.toSorted().join(' ');
      const before = known.get(key) ?? text;
      known.set(key, text);
      return before === text;
    }),
  );
}

/** The first address of each server, IPv4 before IPv6. */
function firstAddresses(said: readonly Said[]): ReadonlyMap<string, string> {
  const given = said.flatMap(({ glue }) => [...glue]);
  const ofFamily = (family: string): readonly (readonly [string, string])[] =>
    given.flatMap(([key, [address]]) => {
      const [owner = '', type] = key.split(' ');
      return type === family && address !== undefined ? [[owner, address] as const] : [];
    });
  return new Map([...ofFamily('AAAA'), ...ofFamily('A')]);
}

function largestAgreement(said: readonly Said[]): number {
  const groups = Map.groupBy(said, namesKey);
  return Math.max(...[...groups.values()].map((group) => countOf(group.map(({ server }) => server))));
}

const shownServers = 6;

function differing(zone: string, said: readonly Said[]): Delegation {
  const groups = [...Map.groupBy(said, (one) => `${namesKey(one)} ${glueText(one)}`).values()];
  const views = groups.map((group) => ({
    by: group
      .map(({ server }) => server.name || (server.endpoint?.address ?? ''))
      .toSorted()
      .slice(0, shownServers),
    names: (group[0]?.names ?? []).slice(0, shownServers),
  }));
  return { kind: 'differing', differing: { zone, views: views.toSorted(byServers).slice(0, shownServers) } };
}

const glueText = ({ glue }: Said): string =>
  [...glue]
    .map(([key, addresses]) => `${key} ${addresses.join(' ')}`)
    .toSorted()
    .join();

const byServers = (a: { by: readonly string[] }, b: { by: readonly string[] }): number =>
  a.by.join(' ') < b.by.join(' ') ? -1 : 1;
