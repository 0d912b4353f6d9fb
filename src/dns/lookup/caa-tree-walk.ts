import type { DnsFacts, NameFacts, DnsOutcome } from '../dns-facts.ts';
import type { Check } from './lookup-chain.ts';
import { lookAtChain } from './lookup-chain.ts';

/** RFC 8659 section 3: from the name up to its top-level domain, until a name has CAA records; aliases followed at each. */
export async function walkCaaTree(check: Check, hostname: string): Promise<void> {
  const labels = hostname.split('.');
  for (let index = 0; index < labels.length; index += 1) {
    const name = labels.slice(index).join('.');
    await lookAtChain(check, name, ['CAA']);
    if (isDecided(check.observations.names(), name)) return;
  }
}

/** True when every source shows CAA records at the end of the name's chain, or none could tell: nothing above counts. */
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
