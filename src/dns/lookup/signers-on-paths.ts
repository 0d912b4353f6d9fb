import { isRegistrySuffix } from '../../rules/hostname.ts';
import type { UnknownCause } from '../dns-facts.ts';
import type { Question, Response } from './dns-message.ts';
import { types } from './signed-section.ts';

/** Asks one resolver. */
export type AskResolver = (
  question: Pick<Question, 'name' | 'type' | 'dnssec' | 'isAgain'>,
) => Promise<Response | UnknownCause>;

/** An answer, or a certain absence: NXDOMAIN and no data. */
export const isAnswer = (response: Response | UnknownCause): response is Response =>
  typeof response !== 'string' && (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN');

type Signers = 'found' | 'none' | 'uncertain';

/**
 * What a validating resolver has found of DS records on the ways to an answer: `found` on one of them; `none` where each way leads
 * through a zone of which it has validated that there is none, so that nothing below is signed (RFC 4035 section 5.2); otherwise `uncertain`.
 */
export async function signersOnPaths(ask: AskResolver, paths: readonly (readonly string[])[]): Promise<Signers> {
  const found = await Promise.all(paths.map((zones) => signersOnPath(ask, zones)));
  if (found.includes('found')) return 'found';
  return found.length > 0 && found.every((one) => one === 'none') ? 'none' : 'uncertain';
}

/** From the top down; the first zone without a DS record ends what is signed, so a way counts as signed only to its end. */
async function signersOnPath(ask: AskResolver, zones: readonly string[]): Promise<Signers> {
  let isFound = false;
  for (const name of zones) {
    const response = await ask({ name, type: 'DS', dnssec: 'checking' });
    if (!isAnswer(response)) continue;
    const hasSigner = (response.signed ?? []).some((record) => record.name === name && record.type === types.DS);
    if (hasSigner) isFound = true;
    else if (await isDelegated(ask, name)) return 'none';
  }
  return isFound ? 'found' : 'uncertain';
}

/**
 * Whoever forges a zone's answers can make a name in it look like a zone of its own, which has no DS record and needs none: only what a registry
 * delegates, or what has name servers by the resolver's own word, is one.
 */
async function isDelegated(ask: AskResolver, name: string): Promise<boolean> {
  if (isRegistrySuffix(name.slice(name.indexOf('.') + 1))) return true;
  const response = await ask({ name, type: 'NS', dnssec: 'checking' });
  return isAnswer(response) && response.answers.some((record) => record.name === name && record.type === 'NS');
}
