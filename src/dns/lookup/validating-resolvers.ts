import { isRegistrySuffix } from '../../rules/hostname.ts';
import type { DnsRecord, UnknownCause } from '../dns-facts.ts';
import type { ValidatedAnswer, ValidatedType, ValidatingResolver } from '../dnssec-facts.ts';
import { opinionOf } from '../dnssec-facts.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import type { Response, Question } from '../wire/dns-message.ts';
import { types } from '../wire/dnssec-records.ts';

/** Resolvers are queried two at a time, until two are enough; each round has this long. */
const atOnce = 2;
const mostRounds = 2;
const roundMs = 1_500;
/** For all rounds together. */
export const validationMs = mostRounds * roundMs;

export interface ValidationQuestion {
  readonly name: string;
  readonly type: ValidatedType;
  /**
   * of each name on the way to the answer, the zones from the domain that a registry delegates down to its own; signatures can be at fault
   * only where one of these ways is signed
   */
  readonly paths: readonly (readonly string[])[];
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
): Promise<ValidatingResolver> => {
  const ask: AskResolver = (question) => {
    const timeoutMs = Math.max(1, endsAt - performance.now());
    return client.query(resolver, { ...question, recursive: true, timeoutMs }, null);
  };
  return {
    source: `resolver ${printEndpoint(resolver)}`,
    answers: await Promise.all(questions.map((question) => validate(ask, question))),
  };
};

/**
 * Bogus is what the resolver refuses with CD clear, and again when asked once more, while with CD set it has all of the answer (RFC 4035 section
 * 3.2.2). A server that fails for one type of record, or for a moment, gives no such answer or none that stays refused. A resolver that refuses
 * with CD set too is believed if it names DNSSEC as the reason and has itself found a DS record on the way. Where it has found that no way
 * is signed, no signature can be at fault, whatever else is.
 */
async function validate(ask: AskResolver, { name, type, paths }: ValidationQuestion): Promise<ValidatedAnswer> {
  const valid = ({ answers }: Response): ValidatedAnswer => {
    return { name, type, validation: 'valid', hasRecords: answers.some((record) => record.type === type) };
  };
  const unless = (isBogus: boolean, refusal?: Response | UnknownCause): ValidatedAnswer => {
    const errors = refusal === undefined ? [] : dnssecErrors(refusal);
    const why = isBogus && errors.length > 0 ? { errors } : {};
    return { name, type, validation: isBogus ? 'bogus' : 'unanswered', hasRecords: false, ...why };
  };
  const response = await ask({ name, type, dnssec: 'checking' });
  if (isAnswer(response)) return valid(response);
  if (!mayBeBogus(response)) return unless(false);
  if (!isWhole(await ask({ name, type, dnssec: 'unchecked' }), { name, type }))
    return unless(namesDnssec(response) && (await signersOnPaths(ask, paths)) === 'found', response);
  const again = await ask({ name, type, dnssec: 'checking', isAgain: true });
  if (isAnswer(again)) return valid(again);
  return unless(mayBeBogus(again) && (await signersOnPaths(ask, paths)) !== 'none', again);
}

/** Does the answer reach the end of its aliases: records there, or that there are none? One that ends in an alias was cut off by a fault. */
function isWhole(
  response: Response | UnknownCause,
  { name, type }: Pick<ValidationQuestion, 'name' | 'type'>,
): boolean {
  if (!isAnswer(response)) return false;
  const { rcode, answers, authorities } = response;
  if (rcode === 'NXDOMAIN' || authorities.some((record) => record.type === 'SOA')) return true;
  const end = endOfAliases(answers, name);
  return answers.some((record) => record.name === end && record.type === type);
}

function endOfAliases(answers: readonly DnsRecord[], start: string): string {
  const aliases = new Map(answers.flatMap((one) => (one.type === 'CNAME' ? [[one.name, one.value] as const] : [])));
  let name = start;
  for (let next = aliases.get(name); next !== undefined; next = aliases.get(name)) {
    aliases.delete(name);
    name = next;
  }
  return name;
}

/** Codes about DNSSEC (RFC 8914 section 4; 27 is RFC 9276's); any other one names another reason. */
const validationErrors: ReadonlySet<number> = new Set([1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 27]);

/** Those of them that only an answer can have whose signatures were looked at and are not valid. */
const faultErrors: ReadonlySet<number> = new Set([6, 7, 8, 9, 10, 11, 12]);

const isRefusal = (response: Response | UnknownCause): response is Response =>
  typeof response !== 'string' && response.rcode === 'SERVFAIL';

function mayBeBogus(response: Response | UnknownCause): boolean {
  if (!isRefusal(response)) return false;
  const { extendedErrors = [] } = response;
  return extendedErrors.length === 0 || extendedErrors.some((code) => validationErrors.has(code));
}

const dnssecErrors = (response: Response | UnknownCause): readonly number[] =>
  isRefusal(response) ? (response.extendedErrors ?? []).filter((code) => faultErrors.has(code)) : [];

const namesDnssec = (response: Response | UnknownCause): boolean => dnssecErrors(response).length > 0;

/** Asks one resolver. */
type AskResolver = (
  question: Pick<Question, 'name' | 'type' | 'dnssec' | 'isAgain'>,
) => Promise<Response | UnknownCause>;

/** An answer, or a certain absence: NXDOMAIN and no data. */
const isAnswer = (response: Response | UnknownCause): response is Response =>
  typeof response !== 'string' && (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN');

type Signers = 'found' | 'none' | 'uncertain';

/**
 * What a validating resolver has found of DS records on the ways to an answer: `found` on one of them; `none` where each way leads
 * through a zone of which it has validated that there is none, so that nothing below is signed (RFC 4035 section 5.2); otherwise `uncertain`.
 */
async function signersOnPaths(ask: AskResolver, paths: readonly (readonly string[])[]): Promise<Signers> {
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
