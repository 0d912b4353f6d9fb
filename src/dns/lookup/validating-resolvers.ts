import type { UnknownCause } from '../dns-facts.ts';
import type { ValidatedAnswer, ValidatedType, ValidatingResolver } from '../dnssec-facts.ts';
import { opinionOf } from '../resolvers-opinion.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from './dns-endpoint.ts';
import { printEndpoint } from './dns-endpoint.ts';
import type { Response } from './dns-message.ts';

/** Resolvers are queried two at a time, until two are enough; each round has this long. */
const atOnce = 2;
const mostRounds = 2;
const roundMs = 1_500;
/** For all rounds together. */
export const validationMs = mostRounds * roundMs;

export interface ValidationQuestion {
  readonly name: string;
  readonly type: ValidatedType;
}

/** Asks resolvers to validate answers: the first two, and more where these do not decide. */
export async function askValidators(
  client: DnsClient,
  resolvers: readonly Endpoint[],
  questions: readonly ValidationQuestion[],
): Promise<readonly ValidatingResolver[]> {
  const found: ValidatingResolver[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const next = resolvers.slice(round * atOnce, (round + 1) * atOnce);
    const endsAt = performance.now() + roundMs;
    const answered = next.map((resolver) => askValidator(client, resolver, questions, endsAt));
    found.push(...(await Promise.all(answered)));
    if (opinionOf(found) !== 'uncertain') break;
  }
  return found;
}

const askValidator = async (
  client: DnsClient,
  resolver: Endpoint,
  questions: readonly ValidationQuestion[],
  endsAt: number,
): Promise<ValidatingResolver> => ({
  source: `resolver ${printEndpoint(resolver)}`,
  answers: await Promise.all(questions.map((question) => validate(client, resolver, question, endsAt))),
});

/**
 * SERVFAIL beside an answer to the same question with CD set (RFC 4035 section 3.2.2) means that the resolver has found
 * the answer bogus, unless it says itself that something else failed.
 */
async function validate(
  client: DnsClient,
  resolver: Endpoint,
  { name, type }: ValidationQuestion,
  endsAt: number,
): Promise<ValidatedAnswer> {
  const ask = (dnssec: 'checking' | 'unchecked') => {
    const timeoutMs = Math.max(1, endsAt - performance.now());
    return client.query(resolver, { name, type, recursive: true, dnssec, timeoutMs }, null);
  };
  const response = await ask('checking');
  if (isAnswer(response)) {
    return { name, type, validation: 'valid', hasRecords: response.answers.some((record) => record.type === type) };
  }
  const isBogus = mayBeBogus(response) && isAnswer(await ask('unchecked'));
  return { name, type, validation: isBogus ? 'bogus' : 'unanswered', hasRecords: false };
}

const isAnswer = (response: Response | UnknownCause): response is Response =>
  typeof response !== 'string' && (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN');

/** Codes about DNSSEC (RFC 8914 section 4; 27 is RFC 9276's); any other one names another reason. */
const validationErrors: ReadonlySet<number> = new Set([1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 27]);

function mayBeBogus(response: Response | UnknownCause): boolean {
  if (typeof response === 'string' || response.rcode !== 'SERVFAIL') return false;
  const { extendedErrors = [] } = response;
  return extendedErrors.length === 0 || extendedErrors.some((code) => validationErrors.has(code));
}
