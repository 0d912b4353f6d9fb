import type { DnsFacts, SourceView } from '../model/dns-facts.ts';
import { challengeName } from '../model/records.ts';
import { codes } from './codes.ts';
import { combine } from './combine.ts';
import type { Judgement, Verdict, Wanted } from './judgement.ts';

const maxAliases = 8;
/** Marks an ownership record of this system among the TXT records of a name. */
const prefix = 'projectdomain-verify=';

/**
 * Is it the owner who points here (design section 4, rule 2)? The exact target says so by itself, unless somebody else
 * proved the name or the way here is by addresses, which anybody may share: then the TXT record must be there.
 */
export function judgeOwnership(facts: DnsFacts, wanted: Wanted, routing: Judgement['routing']): Verdict {
  const byTarget = routing.verdict === 'yes' && routing.by === 'target';
  if (byTarget && !wanted.txtRequired) return { verdict: 'yes', code: codes.Verified };
  if (!wanted.txt) return needsTxt(wanted, routing) ? { verdict: 'no', code: whyNoTxt(wanted) } : withoutTxt(routing);
  const txt = judgeTxt(facts, wanted.txt.value, wanted.txt.name, []);
  const needed = needsTxt(wanted, routing) || txt.verdict === 'yes';
  return needed ? txt : withoutTxt(routing);
}

const needsTxt = (wanted: Wanted, routing: Judgement['routing']): boolean =>
  wanted.txtRequired || routing.by === 'addresses';

const whyNoTxt = ({ hostname }: Wanted): string =>
  challengeName(hostname) === null ? codes.HostnameTooLongForTxt : codes.TxtMissing;

/** Where the target alone would do, a missing route is what is missing. */
const withoutTxt = ({ verdict, code }: Verdict): Verdict => ({ verdict, code });

function judgeTxt(facts: DnsFacts, value: string, name: string, before: readonly string[]): Verdict {
  if (before.includes(name) || before.length > maxAliases) return { verdict: 'no', code: codes.AliasLoop };
  return combine(facts.names[name], (view) => judgeView(facts, value, view, [...before, name]));
}

function judgeView(facts: DnsFacts, value: string, { outcomes }: SourceView, chain: readonly string[]): Verdict {
  const { TXT } = outcomes;
  if (TXT === undefined || TXT.kind === 'unknown') return { verdict: 'unknown', code: codes.NoUsableAnswer };
  if (TXT.kind === 'alias') return judgeTxt(facts, value, TXT.record.value, chain);
  if (TXT.kind !== 'records') return { verdict: 'no', code: codes.TxtMissing };
  const values = TXT.records.map((record) => record.value.trim());
  if (values.includes(value)) return { verdict: 'yes', code: codes.Verified };
  return { verdict: 'no', code: values.some((other) => other.startsWith(prefix)) ? codes.TxtWrong : codes.TxtMissing };
}
