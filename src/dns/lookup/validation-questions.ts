import type { CheckRequest, DnsFacts } from '../dns-facts.ts';
import { chainNames, chainRecords, targetAddresses } from '../observed-records.ts';
import type { ValidationQuestion } from './validating-resolvers.ts';

type Names = Pick<DnsFacts, 'names'>;

/** An authority asks no name with more labels (Boulder, policy/pa.go). */
const mostLabels = 10;

/**
 * What validating resolvers are asked about a hostname: what the certificate authority looks at, and the ownership record
 * where it was found. None unless the zones' own servers say that the hostname leads here, because a resolver would keep
 * a negative answer and give it to visitors.
 */
export function validationQuestions(facts: Names, request: CheckRequest): readonly ValidationQuestion[] {
  const { hostname, txtName } = request;
  if (!leadsHere(facts, request)) return [];
  const hasTxt = txtName !== null && chainRecords(facts, txtName, ['TXT']).length > 0;
  return [
    { name: hostname, type: 'A' },
    { name: hostname, type: 'AAAA' },
    ...(request.caa ? caaNames(facts, hostname).map((name) => ({ name, type: 'CAA' }) as const) : []),
    ...(hasTxt ? [{ name: txtName, type: 'TXT' } as const] : []),
  ];
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
  const labels = hostname.split('.');
  const climb = labels.map((_, index) => labels.slice(index).join('.')).slice(0, mostLabels);
  const end = climb.findIndex((name) => chainRecords(facts, name, ['CAA']).length > 0);
  return end < 0 ? climb : climb.slice(0, end + 1);
}
