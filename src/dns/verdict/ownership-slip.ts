import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isWithinEdits } from './edit-distance.ts';
import { typedText, withoutMarks } from './typed-text.ts';

/** Distinguishes our ownership records from other TXT records of a name. */
export const ownershipPrefix = 'projectdomain-verify=';

/** How a TXT record misses the ownership text, though it was meant; `TxtWrong`: another one of ours. */
export type OwnershipSlip = Extract<DnsCode, 'TxtQuoted' | 'TxtBareToken' | 'TxtMistyped' | 'TxtWrong'>;

/** As many letters as a person mistypes, of a token that is random; a short one, as in tests, allows for less. */
const editsFor = (token: string): number => (token.length >= 16 ? 2 : token.length >= 6 ? 1 : 0);

/** Longer texts than this are no ownership record, however they begin. */
const mostCharacters = 512;

/** What went wrong when somebody entered the text: null for any other text, and for the right one. */
export function ownershipSlip(text: string, wanted: string): OwnershipSlip | null {
  if (text.length > mostCharacters) return isOfUs(text) ? 'TxtWrong' : null;
  const typed = typedText(text);
  if (typed === wanted) return null;
  const bare = withoutMarks(typed);
  if (bare === wanted) return 'TxtQuoted';
  const token = wanted.slice(ownershipPrefix.length);
  if (bare === token) return 'TxtBareToken';
  if (bare.includes(wanted) || isWithinEdits(bare, wanted, editsFor(token))) return 'TxtMistyped';
  return isOfUs(bare) ? 'TxtWrong' : null;
}

const isOfUs = (text: string): boolean => text.startsWith(ownershipPrefix);
