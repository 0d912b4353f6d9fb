import { acceptedWords, hostnameWords } from './words-accepted.ts';
import { accountWords, apiKeyWords, projectWords } from './words-around.ts';
import { certificateWords, routedWords } from './words-certificate.ts';
import { caaWords, dnsWords, verifiedWords } from './words-dns.ts';
import { stateWords, wordsInState } from './words-states.ts';
import type { Symptom, Words } from './symptoms.ts';

const byReason: ReadonlyMap<string, Words> = new Map(
  [
    accountWords,
    apiKeyWords,
    projectWords,
    routedWords,
    certificateWords,
    caaWords,
    dnsWords,
    verifiedWords,
    hostnameWords,
    acceptedWords,
  ].flatMap((table) => Object.entries<Words>(table)),
);

/** Parents that are merely absent, and silence, never take a domain away (design section 3). */
const neverSuspends: readonly string[] = ['AccountNotFound', 'PlanNotFound', 'ProjectNotFound', 'Unreachable'];
const endsWithGrace: readonly object[] = [acceptedWords, dnsWords];
const grace = 'If it stays like this for seven days, the domain stops being served.';

/** Reasons that only say that all is well. */
const settled: readonly string[] = ['Accepted', 'Verified', 'Issued', 'Routed', 'Ready'];

/**
 * A state with its reason, or with the code of an issue, in words for somebody who has never heard of DNS. A reason that
 * has no words of its own gets those of the state.
 */
export function wordsOf(state: string, reason: string): Words {
  const ofState = stateWords[state];
  const ofReason = wordsInState(state, reason) ?? byReason.get(reason);
  if (!ofReason || state === 'Suspended') return ofState ?? ofReason ?? stateWords.Pending;
  if (state !== 'Live' && state !== 'Degraded') return ofReason;
  if (settled.includes(reason)) return ofState ?? ofReason;
  return { ...ofReason, meaning: stillServed(reason, ofReason, state) };
}

function stillServed(reason: string, { meaning }: Words, state: 'Live' | 'Degraded'): string {
  if (state === 'Live') return `Your domain works. ${meaning}`;
  const ends = !neverSuspends.includes(reason) && endsWithGrace.some((table) => reason in table);
  return ['The platform still serves your domain.', meaning, ...(ends ? [grace] : [])].join(' ');
}

/** The reasons and codes that belong to a symptom, in alphabetical order. */
export const reasonsOf = (symptom: Symptom): readonly string[] =>
  [...byReason].flatMap(([reason, words]) => (words.symptom === symptom ? [reason] : [])).toSorted();
