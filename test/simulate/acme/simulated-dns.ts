import type { CheckRequest, Dns, DnsFacts } from '../../../src/dns/dns-facts.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { resolver, says } from '../../support/dnssec-facts.ts';

/** What a look at a hostname finds: the right record, another one, nobody who answers, or a CAA record that forbids. */
export type DnsFinding = 'right' | 'elsewhere' | 'silence' | 'forbidden';

export interface SimulatedDns {
  readonly findingOf: (hostname: string) => DnsFinding;
  /** whether the resolvers that validate answer */
  readonly resolversAnswer: () => boolean;
}

/** What the two servers of every zone say, and what validating resolvers do. */
export function createSimulatedDns({ findingOf, resolversAnswer }: SimulatedDns): Dns {
  return {
    check: (request) => Promise.resolve(factsOf(request, findingOf(request.hostname), resolversAnswer())),
  };
}

function factsOf({ hostname, target, dnssec }: CheckRequest, finding: DnsFinding, resolversAnswer: boolean): DnsFacts {
  const silent = finding === 'silence';
  const led = finding === 'elsewhere' ? ['198.51.100.7'] : `-> ${target}`;
  const caa = finding === 'forbidden' ? ['0 issue "other.test"'] : 'NODATA';
  const view = silent ? { A: 'timeout', AAAA: 'timeout', CAA: 'timeout' } : { ...addresses(led), CAA: caa };
  const found = facts(hostname, [name(hostname, [view, view], [], parentOf(hostname)), ...parentsOf(hostname)]);
  return dnssec === undefined ? found : { ...found, dnssec: opinion(resolversAnswer) };
}

const parentOf = (hostname: string): string => hostname.slice(hostname.indexOf('.') + 1);

const noCaa = [{ CAA: 'NODATA' }, { CAA: 'NODATA' }] as const;

function parentsOf(hostname: string) {
  const labels = hostname.split('.');
  return labels.slice(1).map((_, index) => name(labels.slice(index + 1).join('.'), noCaa));
}

function opinion(resolversAnswer: boolean): NonNullable<DnsFacts['dnssec']> {
  const one = resolver(says(resolversAnswer ? 'valid' : 'unanswered'));
  return { resolvers: [one, one, one], zones: [], at: 0 };
}
