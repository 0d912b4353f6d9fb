import type { DnsFacts, DnsRecord, Outcome, SourceView } from '../model/dns-facts.ts';
import { isWithin } from '../model/hostname.ts';
import { codes } from './codes.ts';
import { combine } from './combine.ts';
import type { Judgement, Wanted } from './judgement.ts';

type Routing = Judgement['routing'];

const maxAliases = 8;

/**
 * Does DNS lead here (design section 4, rule 1)? Yes by the exact target somewhere in the chain of aliases; or by
 * addresses, when no name of the chain is the platform's and every address at its end is.
 */
export function judgeRouting(facts: DnsFacts, wanted: Wanted): Routing {
  return judgeName({ facts, wanted }, wanted.hostname, []);
}

interface Bench {
  readonly facts: DnsFacts;
  readonly wanted: Wanted;
}

function judgeName(bench: Bench, name: string, before: readonly string[]): Routing {
  if (before.includes(name) || before.length > maxAliases) return no(codes.AliasLoop);
  const verdict = combine(bench.facts.names[name], (view) => judgeView(bench, view, [...before, name]));
  return 'by' in verdict ? verdict : { ...verdict, by: null };
}

function judgeView(bench: Bench, { outcomes }: SourceView, chain: readonly string[]): Routing {
  const { A, AAAA } = outcomes;
  const alias = [A, AAAA].find((outcome) => outcome?.kind === 'alias');
  if (alias?.kind === 'alias') return judgeAlias(bench, alias.record.value, chain);
  return judgeAddresses(bench, [A, AAAA], chain);
}

function judgeAlias(bench: Bench, to: string, chain: readonly string[]): Routing {
  const { target, cnameDomain, platformDomains } = bench.wanted;
  if (to === target) return { verdict: 'yes', code: codes.Verified, by: 'target' };
  if (to === cnameDomain) return no(codes.BareCnameDomain);
  if (isWithin(to, cnameDomain)) return no(codes.OtherProjectTarget);
  if (platformDomains.some((domain) => isWithin(to, domain))) return no(codes.WrongTarget);
  const end = judgeName(bench, to, chain);
  const nothingThere = end.verdict === 'no' && (end.code === codes.RecordMissing || end.code === codes.StrayAddress);
  return nothingThere ? no(codes.WrongTarget) : end;
}

function judgeAddresses(
  { wanted, facts }: Bench,
  outcomes: readonly (Outcome | undefined)[],
  chain: readonly string[],
): Routing {
  const addresses = outcomes.flatMap((outcome) => (outcome?.kind === 'records' ? outcome.records : []));
  const ours = new Set([...wanted.platformAddresses, ...targetAddresses(facts, wanted.target)]);
  if (addresses.some(({ value }) => !ours.has(value))) return no(codes.StrayAddress);
  if (outcomes.some((outcome) => outcome === undefined || outcome.kind === 'unknown'))
    return unknown(codes.NoUsableAnswer);
  if (addresses.length === 0) return no(codes.RecordMissing);
  const throughUs = chain.slice(1).some((name) => wanted.platformDomains.some((domain) => isWithin(name, domain)));
  return throughUs ? no(codes.WrongTarget) : { verdict: 'yes', code: codes.Verified, by: 'addresses' };
}

const no = (code: string): Routing => ({ verdict: 'no', code, by: null });
const unknown = (code: string): Routing => ({ verdict: 'unknown', code, by: null });

/** Addresses that some source shows at the end of the target's own chain. */
export function targetAddresses(facts: DnsFacts, target: string): readonly string[] {
  return [...new Set(chainRecords(facts, target, ['A', 'AAAA']).map(({ value }) => value))];
}

/** Every record of the types at a name and along its aliases, from whichever source. */
export function chainRecords(
  facts: DnsFacts,
  start: string,
  types: readonly ('A' | 'AAAA' | 'TXT' | 'CAA')[],
): readonly DnsRecord[] {
  const found = new Map<string, DnsRecord>();
  const open = [start];
  const seen = new Set<string>();
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    seen.add(name);
    for (const outcome of outcomesAt(facts, name, types)) {
      if (outcome.kind === 'alias' && !seen.has(outcome.record.value)) open.push(outcome.record.value);
    }
    for (const record of recordsAt(facts, name, types)) {
      if (record.type !== 'CNAME') found.set(`${record.name} ${record.type} ${record.value}`, record);
    }
  }
  return [...found.values()];
}

/** Every record, aliases among them, that any source shows at one name. */
export function recordsAt(
  facts: DnsFacts,
  name: string,
  types: readonly ('A' | 'AAAA' | 'TXT' | 'CAA')[],
): readonly DnsRecord[] {
  const found = new Map<string, DnsRecord>();
  for (const outcome of outcomesAt(facts, name, types)) {
    const records = outcome.kind === 'records' ? outcome.records : outcome.kind === 'alias' ? [outcome.record] : [];
    records.forEach((record) => found.set(`${record.type} ${record.value}`, record));
  }
  return [...found.values()];
}

function outcomesAt(
  facts: DnsFacts,
  name: string,
  types: readonly ('A' | 'AAAA' | 'TXT' | 'CAA')[],
): readonly Outcome[] {
  const at = facts.names[name];
  const views = [...(at?.authorities ?? []), ...(at?.resolvers ?? [])];
  return views.flatMap(({ outcomes }) => types.flatMap((type) => outcomes[type] ?? []));
}
