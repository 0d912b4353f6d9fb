import { randomBytes } from 'node:crypto';
import { Problem, tryLater } from '../../use-cases/problem.ts';
import type { Answer } from '../api-call.ts';
import type { CallerSeal } from './caller-seal.ts';
import { callerSeal } from './caller-seal.ts';
import { hasDoneNothing, keptText, repeatedAnswer } from './kept-answer.ts';
import type { Begun, Idempotency, KeptAnswers, RecordPlace } from './kept-answers-port.ts';
import { KeptAnswersUnavailable, leaseSeconds, shares } from './kept-answers-port.ts';

/** One request with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  /** the API key that was sent */
  readonly apiKey: string;
  /** whose share pays */
  readonly account: string;
  readonly idempotency: Idempotency;
  /** what makes it the same request */
  readonly text: string;
}

/** Does what is asked for. What it draws it draws from `random`, where that is given, so that another attempt would draw the same. */
export type Run = (random?: (below: number) => number) => Promise<Answer>;

/** Answers a request once, and a repeated one with the same answer again. Rejects with the problem that keeps it from either. */
export type AnswerOnce = (request: KeyedRequest, run: Run) => Promise<Answer>;

export interface AnswerOnceOptions {
  readonly answers: KeptAnswers;
  /** the installation's HMAC secret */
  readonly secret: Uint8Array;
  /** called for every record that this installation did not write */
  readonly forged: () => void;
}

/** Requests with an idempotency key are done once (docs/adr/0102). */
export function createAnswerOnce({ answers, secret, forged }: AnswerOnceOptions): AnswerOnce {
  return async (request, run) => {
    const { idempotency, account } = request;
    const seal = callerSeal(secret, request.apiKey);
    const place = seal.placeOf(request.key);
    const at: RecordPlace = { account, idempotency, place, holder: randomBytes(16) };
    const mark = seal.mark(place, request.text);
    const begun = await answers.begin(at, mark).catch(unavailable);
    if (begun === null || begun.kind === 'no-room') return withoutRecord(idempotency, run);
    if (begun.kind === 'full') throw tooMany(begun.waitMs);
    if (begun.kind === 'forged' || !seal.isOurs(place, begun.mark)) {
      forged();
      return withoutRecord(idempotency, run);
    }
    switch (begun.kind) {
      case 'reused':
        throw reused();
      case 'running':
        throw inUse(begun);
      case 'kept': {
        const text = seal.open(place, begun.mark, begun.answer);
        if (text !== null) return repeatedAnswer(text);
        forged();
        return withoutRecord(idempotency, run);
      }
      case 'begun':
        return doAndKeep({ answers, at, seal, mark: begun.mark, isFirst: begun.mark.equals(mark) }, run);
    }
  };
}

interface Attempt {
  readonly answers: KeptAnswers;
  readonly at: RecordPlace;
  readonly seal: CallerSeal;
  readonly mark: Buffer;
  /** no attempt was made before it, which may yet do something */
  readonly isFirst: boolean;
}

async function doAndKeep({ answers, at, seal, mark, isFirst }: Attempt, run: Run): Promise<Answer> {
  try {
    const answer = await run(at.idempotency === 'by-record' ? seal.random(at.place, mark) : undefined);
    const text = keptText(answer);
    const sealed = text === null ? null : seal.seal(at.place, mark, text);
    const isKept = sealed !== null && sealed.length <= shares[at.idempotency].answerBytes;
    // What was done is answered, whatever becomes of the record.
    await (isKept ? answers.finish(at, sealed) : answers.release(at)).catch(unavailable);
    return answer;
  } catch (error) {
    await (isFirst && hasDoneNothing(error) ? answers.forget(at) : answers.release(at)).catch(unavailable);
    throw error;
  }
}

function unavailable(error: unknown): null {
  if (error instanceof KeptAnswersUnavailable) return null;
  throw error;
}

/** What a repeat finds by its name is done; of anything else its record alone says that it was done before. */
function withoutRecord(idempotency: Idempotency, run: Run): Promise<Answer> {
  if (idempotency === 'by-name') return run();
  throw tryLater(
    'idempotency-unavailable',
    'we cannot tell right now whether this request was made before; nothing was changed, try again in a few seconds with the same Idempotency-Key',
  );
}

const reused = (): Problem =>
  new Problem(
    'idempotency-key-reused',
    'this Idempotency-Key belongs to another request of the last 24 hours; send a new one for every request, and the same again only with the same request',
  );

/** Whoever waits as long as it has taken so far asks a few times only, however long it takes. */
function inUse({ sinceMs, leftMs }: Begun & { readonly kind: 'running' }): Problem {
  const seconds = Math.max(1, Math.ceil(Math.min(sinceMs, leftMs) / 1_000));
  return tryLater(
    'idempotency-key-in-use',
    `a request with this Idempotency-Key is being answered, which takes ${leaseSeconds} seconds at most; try again in ${seconds} s`,
    seconds,
  );
}

const tooMany = (waitMs: number): Problem =>
  tryLater(
    'too-many-idempotency-keys',
    `the account has made ${shares['by-record'].records} keys and links with an Idempotency-Key within 24 hours, and each is kept for as long`,
    Math.max(1, Math.ceil(waitMs / 1_000)),
  );
