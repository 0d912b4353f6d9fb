import type { DnsFacts, Outcome, SourceView } from '../model/dns-facts.ts';
import { isWithin } from '../model/hostname.ts';
import { alongAliases } from './aliases.ts';
import { codes } from './codes.ts';
import type { Judged } from './combine.ts';
import { combine, rankOf } from './combine.ts';
import type { Judgement, Wanted } from './judgement.ts';
import { targetAddresses } from './seen.ts';

export type JudgedRouting = Judgement['routing'] & Judged;

/**
 * Does DNS lead here? Yes by the exact target somewhere in the chain of aliases; or by addresses, when no name of the
 * chain is the platform's and every address at its end is.
 */
export function judgeRouting(facts: DnsFacts, wanted: Wanted): JudgedRouting {
  const ours = new Set([...wanted.platformAddresses, ...targetAddresses(facts, wanted.target)]);
  const bench = { wanted, ours };
  const judgeName = (name: string, follow: (alias: string) => JudgedRouting): JudgedRouting => {
    const verdict = combine(facts.names[name], { view: (view) => judgeView(bench, view, follow), key });
    return 'by' in verdict ? verdict : { ...verdict, by: null };
  };
  const followed = (name: string, follow: (alias: string) => JudgedRouting): JudgedRouting =>
    facts.names[name] || name === wanted.hostname ? judgeName(name, follow) : unknown(codes.AliasLoop);
  return alongAliases(wanted.hostname, followed, no(codes.AliasLoop));
}

interface Bench {
  readonly wanted: Wanted;
  /** addresses that are the platform's */
  readonly ours: ReadonlySet<string>;
}

type Follow = (alias: string) => JudgedRouting;

/** A yes by addresses is the weaker one: it needs a TXT record besides. */
const key = (verdict: JudgedRouting): string => `${verdict.by === 'target' ? 1 : 0} ${rankOf(verdict)}`;

function judgeView(bench: Bench, { outcomes }: SourceView, follow: Follow): JudgedRouting {
  const { A, AAAA } = outcomes;
  const alias = [A, AAAA].find((outcome) => outcome?.kind === 'alias');
  if (alias?.kind === 'alias') return judgeAlias(bench, alias.record.value, follow);
  return judgeAddresses(bench, [A, AAAA]);
}

function judgeAlias({ wanted }: Bench, to: string, follow: Follow): JudgedRouting {
  const { target, cnameDomain, platformDomains } = wanted;
  if (to === target) return yes('target');
  if (to === cnameDomain) return no(codes.BareCnameDomain);
  if (isWithin(to, cnameDomain)) return no(codes.OtherProjectTarget);
  if (platformDomains.some((domain) => isWithin(to, domain))) return no(codes.WrongTarget);
  const end = follow(to);
  const nothingThere = end.verdict === 'no' && (end.code === codes.RecordMissing || end.code === codes.StrayAddress);
  return nothingThere ? { ...end, code: codes.WrongTarget } : end;
}

function judgeAddresses({ ours }: Bench, outcomes: readonly (Outcome | undefined)[]): JudgedRouting {
  const addresses = outcomes.flatMap((outcome) => (outcome?.kind === 'records' ? outcome.records : []));
  if (addresses.some(({ value }) => !ours.has(value))) return no(codes.StrayAddress);
  if (outcomes.some((outcome) => outcome === undefined || outcome.kind === 'unknown'))
    return unknown(codes.NoUsableAnswer);
  return addresses.length === 0 ? no(codes.RecordMissing) : yes('addresses');
}

/** Every view by itself stands as well as it can; how many agree is counted where they are combined. */
const yes = (by: 'target' | 'addresses'): JudgedRouting => ({
  verdict: 'yes',
  code: codes.Verified,
  by,
  corroborated: true,
});
const no = (code: string): JudgedRouting => ({ verdict: 'no', code, by: null, corroborated: true });
const unknown = (code: string): JudgedRouting => ({ verdict: 'unknown', code, by: null, corroborated: false });
