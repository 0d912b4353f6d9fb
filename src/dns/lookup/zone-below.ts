import { isWithin } from '../../rules/hostname.ts';
import type { RecordType } from '../dns-facts.ts';
import { delegationOf, isUsableAbout } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Response } from './dns-message.ts';
import type { Walk } from './delegation-walk.ts';
import type { ServerResult } from './query-servers.ts';
import { querySome, usableAnswers } from './query-servers.ts';
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
  const referred = topmost(found.answers.flatMap(({ response }) => referralsOf(response, cut, found.name)));
  if (referred !== undefined) return enterByReferral(context, cut, { ...found, zone: referred });
  for (const zone of hiddenZones(context.walk, cut, found)) {
    const question = { name: zone, type: 'NS', recursive: false } as const;
    const query = { question, usable: isUsableAbout(zone), isOptional: true };
    const answers = await querySome(context.client, cut.servers, query);
    const below = await context.walk.enter(cut, zone, delegationOf(answers, zone, cut.apex));
    if (below !== cut && (isCut(below) || below.differing)) return below;
  }
  return cut;
}

/** All servers count: one that refers and one that answers differ about the delegation. */
function enterByReferral(
  { walk }: Context,
  cut: ZoneCut,
  { answers, zone }: ZoneAnswers & { readonly zone: string },
): Promise<ZoneCut | NoZoneCut> {
  const [type] = answers.map((answer) => answer.type);
  const ofOneType = answers.filter((answer) => answer.type === type);
  return walk.enter(cut, zone, delegationOf(usableAnswers(ofOneType, isUsableAbout(zone)), zone, cut.apex));
}

const topmost = (zones: readonly string[]): string | undefined => zones.toSorted((a, b) => a.length - b.length).at(0);

const isBelow = (zone: string, { apex }: ZoneCut): boolean => zone !== apex && isInZone(zone, apex);

/** Zones out of this one, and on the way to the name, whose servers the response names. */
function referralsOf(response: ServerResult['response'], cut: ZoneCut, name: string): readonly string[] {
  if (typeof response === 'string' || response.authoritative || response.rcode !== 'NOERROR') return [];
  if (response.answers.length > 0) return [];
  return response.authorities
    .filter(({ type, name: zone }) => type === 'NS' && isBelow(zone, cut) && isWithin(name, zone))
    .map(({ name: zone }) => zone);
}

/** Names at which a zone on the same servers may begin, topmost first. */
function hiddenZones(walk: Walk, cut: ZoneCut, { name, answers }: ZoneAnswers): readonly string[] {
  const responses = answers.flatMap(({ response, type }) =>
    typeof response === 'string' ? [] : [{ ...response, type }],
  );
  const authoritative = responses.filter((response) => response.authoritative);
  const ofNegative = authoritative.filter(({ answers: records }) => records.length === 0).flatMap(zonesOf);
  const candidates = new Set(ofNegative.filter((zone) => isBelow(zone, cut) && isWithin(name, zone)));
  const positive = authoritative.filter(({ answers: records }) => records.length > 0);
  if (positive.length > 0) for (const one of between(name, cut, walk)) candidates.add(one);
  const mayBeApex = name !== cut.apex && positive.some((response) => response.type === 'A' && !isAlias(response, name));
  if (mayBeApex) candidates.add(name);
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
  for (let at = parentName(name); at !== '' && at !== apex && at !== start; at = parentName(at)) names.push(at);
  return names;
}
