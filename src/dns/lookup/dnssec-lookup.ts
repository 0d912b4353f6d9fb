import type { CheckRequest } from '../dns-facts.ts';
import type { DnssecFacts } from '../dnssec-facts.ts';
import { bogusAnswers, opinionOf } from '../resolvers-opinion.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Check } from './lookup-chain.ts';
import { readSigning } from './signing-lookup.ts';
import { askValidators } from './validating-resolvers.ts';
import { validationQuestions } from './validation-questions.ts';

interface Validators {
  readonly resolvers: readonly Endpoint[];
  /**
   * Makes a client with time and packets of its own: whoever forges a zone's answers could otherwise use up the check's, by
   * many name servers or by slow answers, so that nobody is asked whether they are forged.
   */
  readonly client: () => DnsClient;
}

/**
 * Asks the resolvers to validate what a check has found; where they call it bogus, reads the fault from the zones' own
 * servers. Undefined when nothing is to be asked.
 */
export async function lookUpDnssec(
  check: Check,
  { resolvers, client }: Validators,
  request: CheckRequest,
): Promise<DnssecFacts | undefined> {
  if (request.dnssec === undefined) return undefined;
  const facts = { names: check.observations.names() };
  const questions = validationQuestions(facts, request);
  if (questions.length === 0) return undefined;
  const answered = await askValidators(client(), resolvers, questions);
  const isBogus = opinionOf(answered) === 'bogus';
  const zones = isBogus ? await readSigning(check, facts, answered.flatMap(bogusAnswers)) : [];
  return { resolvers: answered, zones, at: Math.floor(Date.now() / 1_000) };
}
