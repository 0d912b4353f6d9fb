import { isWithin } from '../../rules/hostname.ts';
import type { RecordType } from '../dns-facts.ts';
import type { Delegation } from './delegation.ts';
import { delegationOf, isUsableAbout } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Response } from '../wire/dns-message.ts';
import type { Walk } from './delegation-walk.ts';
import type { ServerAnswer, ServerResult, Usable } from './query-servers.ts';
import { queryAll, querySome, usableAnswers } from './query-servers.ts';
import type { NoZoneCut, ZoneCut } from './zone-cut.ts';
import { isCut, isInZone, parentName } from './zone-cut.ts';

/** What the servers of a zone said about a name in it. */
export interface ZoneAnswers {
  readonly name: string;
  readonly answers: readonly (ServerResult & { readonly type: RecordType })[];
}

interface Context {
  readonly client: DnsClient;
  readonly walk: Walk;
}

/**
 * The zone below `cut` that the answers about a name lead to, or `cut` itself. A referral shows it; where the same servers
 * serve both zones there is none, and the SOA record of a negative answer or a question for NS shows it.
 */
export async function zoneBelow(context: Context, cut: ZoneCut, found: ZoneAnswers): Promise<ZoneCut | NoZoneCut> {
  const referred = topmost(
    found.answers.flatMap(({ response }) =>
      typeof response === 'string' ? [] : referralsOf(response, cut.apex, found.name),
    ),
  );
  const parent = cut.apex;
  if (referred !== undefined) return enterByReferral(context, cut, { ...found, zone: referred, parent });
  for (const zone of hiddenZones(context.walk, cut, found)) {
    const question = { name: zone, type: 'NS', recursive: false } as const;
    const query = { question, usable: isUsableAbout(zone), isOptional: true };
    const aboutZone = await querySome(context.client, cut.servers, query);
    const below = await context.walk.enter(cut, zone, hiddenDelegation(aboutZone, { ...found, zone, parent }));
    if (below !== cut && (isCut(below) || below.differing)) return below;
  }
  return cut;
}

interface FoundZone extends ZoneAnswers {
  readonly zone: string;
  readonly parent: string;
}

/**
 * Servers that gave no answer for NS have a say too, where they answered about the name out of the upper zone: then they
 * do not know of the lower one.
 */
function hiddenDelegation(aboutZone: readonly ServerAnswer[], found: FoundZone): Delegation {
  const { zone, parent } = found;
  const delegation = delegationOf(aboutZone, zone, parent);
  if (delegation.kind !== 'cut') return delegation;
  const isOfUpper = (response: Response) =>
    response.authoritative && !zonesOf(response).some((apex) => isInZone(apex, zone));
  return withOthers(aboutZone, found, isOfUpper);
}

/** The delegation by what servers said about the zone, and by what those that were not heard on it said about the name. */
function withOthers(aboutZone: readonly ServerAnswer[], found: FoundZone, usable: Usable): Delegation {
  const { answers, zone, parent } = found;
  const heard = new Set(aboutZone.map(({ server }) => server));
  const [type] = answers.map((answer) => answer.type);
  const others = answers.filter((answer) => answer.type === type && !heard.has(answer.server));
  return delegationOf([...aboutZone, ...usableAnswers(others, usable)], zone, parent);
}

/**
 * All servers count: one that refers and one that does not know of a zone differ about the delegation. One that serves
 * both zones answers for the lower one, so all are asked for its NS; what servers without an answer to that said stands.
 */
async function enterByReferral(
  { client, walk }: Context,
  cut: ZoneCut,
  found: FoundZone,
): Promise<ZoneCut | NoZoneCut> {
  const { zone } = found;
  const usable = isUsableAbout(zone);
  const query = { question: { name: zone, type: 'NS', recursive: false }, usable } as const;
  const aboutZone = usableAnswers(await queryAll(client, cut.servers, query), usable);
  return walk.enter(cut, zone, withOthers(aboutZone, found, usable));
}

const topmost = (zones: readonly string[]): string | undefined => zones.toSorted((a, b) => a.length - b.length).at(0);

const isBelow = (zone: string, apex: string): boolean => zone !== apex && isInZone(zone, apex);

/** Zones out of the one at `apex`, and on the way to the name, whose servers the response names. */
export function referralsOf(response: Response, apex: string, name: string): readonly string[] {
  if (response.authoritative || response.rcode !== 'NOERROR' || response.answers.length > 0) return [];
  return response.authorities
    .filter((record) => record.type === 'NS' && isBelow(record.name, apex) && isWithin(name, record.name))
    .map((record) => record.name);
}

/** Names at which a zone on the same servers may begin, topmost first. */
function hiddenZones(walk: Walk, cut: ZoneCut, { name, answers }: ZoneAnswers): readonly string[] {
  const responses = answers.flatMap(({ response, type }) =>
    typeof response === 'string' ? [] : [{ ...response, type }],
  );
  const authoritative = responses.filter((response) => response.authoritative);
  const ofNegative = authoritative.filter(({ answers: records }) => records.length === 0).flatMap(zonesOf);
  const candidates = new Set(ofNegative.filter((zone) => isBelow(zone, cut.apex) && isWithin(name, zone)));
  const positive = authoritative.filter(({ answers: records }) => records.length > 0);
  const isUntold = authoritative.length === 0;
  if (isUntold || positive.length > 0) for (const one of between(name, cut, walk)) candidates.add(one);
  const mayBeApex = isUntold || positive.some((response) => response.type === 'A' && !isAlias(response, name));
  if (mayBeApex && name !== cut.apex) candidates.add(name);
  return [...candidates].toSorted((a, b) => a.length - b.length);
}

const zonesOf = ({ authorities }: Response): readonly string[] =>
  authorities.filter(({ type }) => type === 'SOA').map((record) => record.name);

const isAlias = ({ answers }: Response, name: string): boolean =>
  answers.some((record) => record.name === name && record.type === 'CNAME');

/** Names between the zone, or what was walked to, and the name. */
function between(name: string, { apex }: ZoneCut, walk: Walk): readonly string[] {
  const start = walk.startName(name);
  const names: string[] = [];
  for (let at = parentName(name); isBelow(at, apex) && at !== start; at = parentName(at)) names.push(at);
  return names;
}
