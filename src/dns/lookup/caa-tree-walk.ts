import type { DnsFacts, NameFacts, DnsOutcome } from '../dns-facts.ts';
import type { Check } from './lookup-chain.ts';
import { observeChain } from './lookup-chain.ts';

/** Climbs from the name to its top-level domain until one has CAA records; follows aliases (RFC 8659 section 3). */
export async function walkCaaTree(check: Check, hostname: string): Promise<void> {
  const labels = hostname.split('.');
  for (let index = 0; index < labels.length; index += 1) {
    const name = labels.slice(index).join('.');
    await observeChain(check, name, ['CAA']);
    if (isDecided(check.observations.names(), name)) return;
  }
}

/** False as soon as one source shows the end of the name's alias chain without CAA records: then the climb goes on. */
function isDecided(names: DnsFacts['names'], start: string): boolean {
  const seen = new Set<string>();
  const open = [start];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const outcome of caaOutcomes(names[name])) {
      if (outcome.kind === 'nodata' || outcome.kind === 'nxdomain') return false;
      if (outcome.kind === 'alias') open.push(outcome.record.value);
    }
  }
  return true;
}

const caaOutcomes = (facts: NameFacts | undefined): readonly DnsOutcome[] =>
  [...(facts?.authorities ?? []), ...(facts?.resolvers ?? [])].flatMap(({ outcomes }) => outcomes.CAA ?? []);
