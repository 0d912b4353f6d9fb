import type { ValidatedAnswer, ValidatingResolver } from './dnssec-facts.ts';

/** Resolvers that have to call an answer bogus before it counts. */
const enough = 2;

/**
 * What the resolvers say together: `bogus` when two call it so, `valid` when one has validated everything and none calls
 * it bogus; otherwise nobody can say.
 */
export function opinionOf(resolvers: readonly ValidatingResolver[]): 'bogus' | 'valid' | 'uncertain' {
  const opinions = resolvers.map(({ answers }) => opinionOfOne(answers));
  if (opinions.filter((one) => one === 'bogus').length >= enough) return 'bogus';
  return opinions.includes('valid') && !opinions.includes('bogus') ? 'valid' : 'uncertain';
}

/** The answers that make a resolver call the hostname bogus; empty for one that does not. */
export const bogusAnswers = ({ answers }: ValidatingResolver): readonly ValidatedAnswer[] =>
  [...decidingAddresses(answers), ...decidingCaa(answers), ...ofType(answers, 'TXT')].filter(isBogus);

function opinionOfOne(answers: readonly ValidatedAnswer[]): 'bogus' | 'valid' | 'unanswered' {
  const deciding = [...decidingAddresses(answers), ...decidingCaa(answers), ...ofType(answers, 'TXT')];
  if (deciding.some(isBogus)) return 'bogus';
  return deciding.length === 0 || deciding.some(({ validation }) => validation === 'unanswered')
    ? 'unanswered'
    : 'valid';
}

const isBogus = ({ validation }: ValidatedAnswer): boolean => validation === 'bogus';

const ofType = (answers: readonly ValidatedAnswer[], type: ValidatedAnswer['type']): readonly ValidatedAnswer[] =>
  answers.filter((answer) => answer.type === type);

/** Addresses of one family are enough for an authority (Boulder, bdns/dns.go, LookupHost). */
function decidingAddresses(answers: readonly ValidatedAnswer[]): readonly ValidatedAnswer[] {
  const both = [...ofType(answers, 'A'), ...ofType(answers, 'AAAA')];
  const found = both.filter(({ hasRecords }) => hasRecords);
  return found.length > 0 ? found : both;
}

/** The set closest to the hostname ends the climb, so nothing above it counts (RFC 8659 section 3). */
function decidingCaa(answers: readonly ValidatedAnswer[]): readonly ValidatedAnswer[] {
  const climb = ofType(answers, 'CAA');
  const end = climb.findIndex(({ hasRecords }) => hasRecords);
  return end < 0 ? climb : climb.slice(0, end + 1);
}
