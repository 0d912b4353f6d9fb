import type { CheckRequest, DnsFacts } from '../dns-facts.ts';
import { isRegistrySuffix, isWithin, registrableDomain } from '../../rules/hostname.ts';
import { chainNames, chainRecords, maxAliases, targetAddresses, withNamesAbove } from '../observed-records.ts';
import type { ValidatedType } from '../dnssec-facts.ts';
import type { ValidationQuestion } from './validating-resolvers.ts';

type Names = Pick<DnsFacts, 'names'>;

/** An authority asks no name with more labels (Boulder, policy/pa.go). */
const mostLabels = 10;

/** Zones on the way to a name of which a DS record may be asked. */
const mostZones = 4;

/**
 * What validating resolvers are asked about a hostname: what the certificate authority looks at, and the ownership record
 * where it was found. None unless the zones' own servers say that the hostname leads here, because a resolver would keep
 * a negative answer and give it to visitors.
 */
export function validationQuestions(facts: Names, request: CheckRequest): readonly ValidationQuestion[] {
  const { hostname, txtName } = request;
  if (!leadsHere(facts, request)) return [];
  const hasTxt = txtName !== null && chainRecords(facts, txtName, ['TXT']).length > 0;
  const question = (name: string, type: ValidatedType): ValidationQuestion => ({
    name,
    type,
    paths: pathsOf(facts, name, type),
  });
  return [
    question(hostname, 'A'),
    question(hostname, 'AAAA'),
    ...(request.caa ? caaNames(facts, hostname).map((name) => question(name, 'CAA')) : []),
    ...(hasTxt ? [question(txtName, 'TXT')] : []),
  ];
}

/** The zones on the way to each name that the answer's aliases lead through; a registry's own zones are its own matter. */
function pathsOf(facts: Names, start: string, type: ValidatedType): ValidationQuestion['paths'] {
  const types = type === 'AAAA' ? (['A', 'AAAA'] as const) : [type];
  const paths = chainNames(facts, start, types, maxAliases + 1).map((name) => {
    const cuts = (facts.names[name]?.cuts ?? []).map(({ zone }) => zone);
    const zones = cuts.filter((zone) => isWithin(name, zone) && !isRegistrySuffix(zone));
    const all = [...new Set([registrableDomain(name), ...zones])];
    return all.toSorted((a, b) => a.split('.').length - b.split('.').length).slice(0, mostZones);
  });
  return [...new Map(paths.map((zones) => [zones.join(' '), zones])).values()];
}

/** By any server's answer: through the exact target, or to addresses that are all the platform's or may lead to it. */
function leadsHere(facts: Names, { hostname, target, dnssec }: CheckRequest): boolean {
  if (chainNames(facts, hostname, ['A', 'AAAA']).includes(target)) return true;
  const ours = new Set([...(dnssec?.platformAddresses ?? []), ...targetAddresses(facts, target)]);
  const addresses = chainRecords(facts, hostname, ['A', 'AAAA']);
  const isOurs = (address: string): boolean => dnssec?.isBehindProxy === true || ours.has(address);
  return addresses.length > 0 && addresses.every(({ value }) => isOurs(value));
}

/** From the hostname upwards, no further than the first name where CAA records were found. */
function caaNames(facts: Names, hostname: string): readonly string[] {
  const climb = withNamesAbove(hostname).slice(0, mostLabels);
  const end = climb.findIndex((name) => chainRecords(facts, name, ['CAA']).length > 0);
  return end < 0 ? climb : climb.slice(0, end + 1);
}
