import { X509Certificate } from 'node:crypto';
import { AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { ReconcileResult, WriteAction } from '../../controller-runtime/actions.ts';
import type { Refusal } from '../../issuing/acme/order-refusal.ts';
import { failedRequest, issuedRequest, pendingRequest } from '../../issuing/request-status.ts';
import type { SigningRequest } from '../../issuing/signing-request.ts';
import { readSigningRequest } from '../../issuing/signing-request.ts';
import { verifyAnnotation } from '../../resources/object-metadata.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import type { OrderProgress } from './advance-order.ts';
import { advanceOrder } from './advance-order.ts';
import { answeredTokens, withdrawAnswers } from './answered-challenges.ts';
import type { AcmeOrderSnapshot, NextForOrder } from './decide-acme-order.ts';
import { withoutOrder } from './decide-acme-order.ts';
import { giveUpProofs, certificateFacts, predecessor } from './order-end.ts';
import type { OrderAttempt } from './order-attempts.ts';
import { restOf, untilAnswered, untilNextTry, untilPlacedAnew } from './order-attempts.ts';
import type { AcmeOrder, OrderChange, OrderRecord } from './order-record.ts';
import { openOrderRecord } from './order-record.ts';
import { askAgain } from './renewal.ts';
import { applyWrites } from '../apply-actions.ts';
import { waitForOrder } from './wait-for-order.ts';

type OpenOrder = Omit<AcmeOrderSnapshot, 'request'> & Extract<NextForOrder, { next: 'Advance' }>;

/** How long an order that waits for answers of ours is not read at its authority, which knows nothing new of it. */
const unreadForMs = 5 * 60_000;
const sentences = {
  silent: 'the certificate authority does not answer; it is asked again',
  unanswered: 'waiting until the ingress and every redirector answer the challenge of the certificate authority',
  notInZone: 'waiting until every server of the challenge zone answers the challenge of the certificate authority',
  underWay: 'waiting for the certificate authority',
} as const;

/**
 * Goes on with an order at its authority, from what the claim remembers, and records what came of it: the certificate or the failure
 * in its request first, its outcome on the claim once its proofs are given up. Does nothing while the order rests.
 */
export async function advanceOpenOrder(
  dependencies: AcmeOrderNeeds,
  order: OpenOrder,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { cluster, now, orderAttempts } = dependencies;
  const attempt = orderAttempts.of(order.order.request);
  const asked = verifyAsked(dependencies, order);
  const restsUntil = restOf(attempt, asked);
  if (restsUntil > now()) return { requeueAfterMs: restsUntil - now() };
  Object.assign(attempt, { verifySeen: asked, lookedAt: now(), firmUntil: 0 });
  const signing = readSigningRequest(order.request.spec.request);
  if (!signing) throw new Error(`the signing request of ${hostnameOf(order)} cannot be read, although it was approved`);
  if (await isUnansweredStill(dependencies, order, attempt)) {
    const waiting = { forMs: null, because: whyUnanswered(order, attempt) };
    return rest(attempt, await waitForOrder(dependencies, order, waiting), now());
  }
  const record = openOrderRecord(cluster, order.claim, order.order);
  const work = { order, signing, record, attempt };
  const progress = await ask(dependencies, work, signal).catch((error: unknown) => {
    if (error instanceof AcmeUnavailable) return error;
    throw error;
  });
  const isSilent = progress instanceof AcmeUnavailable;
  noteHealth(dependencies, order, progress);
  const concluded = isSilent
    ? await silent(dependencies, work, progress)
    : await conclude(dependencies, work, progress);
  return rest(attempt, concluded, now());
}

/** An authority that cannot take orders is as good as silent, whatever it answers. */
function noteHealth(
  { authorityHealth }: Pick<AcmeOrderNeeds, 'authorityHealth'>,
  { account: { server } }: OpenOrder,
  progress: OrderProgress | AcmeUnavailable,
): void {
  const takesNone =
    progress instanceof AcmeUnavailable ||
    (progress.kind === 'Refused' && !progress.isPlaced && progress.refusal.code === 'TryLater');
  if (takesNone) authorityHealth.silent(server);
  else authorityHealth.answered(server);
}

async function silent(
  dependencies: AcmeOrderNeeds,
  { order, attempt }: Work,
  { retryAfterMs }: AcmeUnavailable,
): Promise<ReconcileResult> {
  const requeueAfterMs = Math.max(untilAnswered(attempt), retryAfterMs ?? 0);
  attempt.refusals += 1;
  attempt.firmUntil = dependencies.now() + (retryAfterMs ?? 0);
  await applyWrites(dependencies, pendingRequest(order.request, sentences.silent, dependencies.now()));
  return { requeueAfterMs };
}

/** When a new attempt for its domain was asked for, as it was written; undefined for a platform hostname, and where nobody has. */
function verifyAsked({ caches }: Pick<AcmeOrderNeeds, 'caches'>, { claim }: OpenOrder): string | undefined {
  const { holder, proof } = claim.spec;
  if (proof.method === 'Platform') return undefined;
  return caches.domains.get({ namespace: holder.namespace, name: holder.name })?.metadata.annotations?.[
    verifyAnnotation
  ];
}

/** What the claim's own writes, and everything else that wakes the hostname meanwhile, do not shorten. */
function rest(attempt: OrderAttempt, result: ReconcileResult, now: number): ReconcileResult {
  attempt.restsUntil = now + (result.requeueAfterMs ?? 0);
  return result;
}

const hostnameOf = ({ claim }: Pick<OpenOrder, 'claim'>): string => claimedHostname(claim.metadata.name);

interface Work {
  readonly order: OpenOrder;
  readonly signing: SigningRequest;
  readonly record: OrderRecord;
  readonly attempt: OrderAttempt;
}

/** While ours do not answer what they did not answer before, the authority has nothing to say. */
async function isUnansweredStill(
  dependencies: AcmeOrderNeeds,
  order: OpenOrder,
  attempt: OrderAttempt,
): Promise<boolean> {
  const { tokens, askedAt } = attempt;
  if (tokens.length === 0 || dependencies.now() - askedAt > unreadForMs) return false;
  const answered = await answeredTokens(dependencies, order, { tokens, attempt });
  return tokens.some((token) => !answered.has(token));
}

const whyUnanswered = ({ order: { delegation } }: OpenOrder, { fault }: OrderAttempt): string =>
  fault ?? (delegation === undefined ? sentences.unanswered : sentences.notInZone);

function ask(
  dependencies: AcmeOrderNeeds,
  { order, signing, record, attempt }: Work,
  signal: AbortSignal,
): Promise<OrderProgress> {
  const { known, account, claim, placeBefore } = order;
  const { profile, preferredChain, acme, thumbprint } = account;
  const hostname = hostnameOf(order);
  const challenge = order.order.delegation === undefined ? 'http-01' : 'dns-01';
  attempt.askedAt = dependencies.now();
  const replaces = predecessor(claim, acme.url);
  return advanceOrder(
    known,
    { hostname, signingRequest: signing.der, challenge, profile, preferredChain, replaces, placeBefore },
    {
      account: acme,
      thumbprint,
      answered: (tokens) => answeredTokens(dependencies, order, { tokens, attempt }),
      triggered: attempt.triggered,
      now: dependencies.now,
      remember: (remembered) => remember(record, remembered, attempt),
    },
    signal,
  );
}

/** Before it is placed nothing has happened that another writer of the claim would have to make room for. */
async function remember(record: OrderRecord, acme: AcmeOrder, attempt: OrderAttempt): Promise<void> {
  if (acme.order === undefined) return record.intend({ acme });
  await record.note({ acme });
  Object.assign(attempt, { waits: 0, refusals: 0 });
}

async function conclude(dependencies: AcmeOrderNeeds, work: Work, progress: OrderProgress): Promise<ReconcileResult> {
  const { order, signing, attempt } = work;
  const now = dependencies.now();
  switch (progress.kind) {
    case 'Waiting': {
      const { forMs, tokens } = progress;
      if (tokens.length === 0 && attempt.tokens.length > 0) attempt.waits = 0;
      attempt.tokens = tokens;
      attempt.firmUntil = now + (forMs ?? 0);
      const because = tokens.length > 0 ? whyUnanswered(order, attempt) : sentences.underWay;
      return waitForOrder(dependencies, order, { forMs, because });
    }
    case 'Issued': {
      const chain = issuedChain(progress.chain, signing);
      const written = issuedRequest(order.request, chain, now);
      const facts = certificateFacts(chain, progress.download);
      await end(dependencies, work, { written, facts, change: { outcome: 'Issued' } });
      return { requeueAfterMs: askAgain };
    }
    case 'Lost':
      return lost(dependencies, work, progress);
    case 'Refused':
      return refused(dependencies, work, progress);
  }
}

/** Its request goes on to wait, and it is placed anew once a check permits that: nobody has refused anything. */
async function lost(
  dependencies: AcmeOrderNeeds,
  { order, record, attempt }: Work,
  { because }: Extract<OrderProgress, { kind: 'Lost' }>,
): Promise<ReconcileResult> {
  const acme = record.acme();
  if (!acme) return {};
  await applyWrites(dependencies, pendingRequest(order.request, because, dependencies.now()));
  await giveUpProofs(acme, order.account.acme);
  await record.note({ acme: withoutOrder(acme) });
  attempt.triggered.clear();
  Object.assign(attempt, { tokens: [], published: null });
  const requeueAfterMs = untilPlacedAnew(acme);
  attempt.firmUntil = dependencies.now() + requeueAfterMs;
  return { requeueAfterMs };
}

async function refused(
  dependencies: AcmeOrderNeeds,
  work: Work,
  { refusal, isPlaced }: Extract<OrderProgress, { kind: 'Refused' }>,
): Promise<ReconcileResult> {
  const { order, record, attempt } = work;
  const { message, isFinal, limit, retryAfterMs } = refusal;
  const now = dependencies.now();
  const change: OrderChange = { ...limitOf(refusal), ...(isPlaced ? {} : { acme: order.known }) };
  if (isFinal) {
    const written = failedRequest(order.request, message, now);
    return end(dependencies, work, { written, change: { outcome: 'Failed', ...change } });
  }
  await applyWrites(dependencies, pendingRequest(order.request, message, now));
  if (Object.keys(change).length > 0) await record.note(change);
  const named = Math.max(retryAfterMs ?? 0, (limit?.until ?? 0) - now);
  const requeueAfterMs = Math.max(retryAfterMs ?? untilNextTry(attempt), named);
  attempt.firmUntil = now + named;
  attempt.refusals += 1;
  return { requeueAfterMs };
}

interface Ending {
  /** what its request says of it */
  readonly written: WriteAction;
  /** of its certificate; absent where there is none */
  readonly facts?: ReturnType<typeof certificateFacts>;
  readonly change: OrderChange;
}

/** The certificate is remembered first: once the proofs are given up, not every authority says where it is. */
async function end(
  dependencies: AcmeOrderNeeds,
  { order, record }: Work,
  { written, facts, change }: Ending,
): Promise<ReconcileResult> {
  const endedAt = timestamp(dependencies.now());
  await applyWrites(dependencies, [written]);
  const acme = record.acme();
  if (acme && facts) await record.note({ acme: { ...acme, ...facts } });
  if (acme) await giveUpProofs(acme, order.account.acme);
  await withdrawAnswers(dependencies, order.order);
  await record.note({ ...change, endedAt });
  dependencies.orderAttempts.forget(order.order.request);
  return {};
}

const limitOf = ({ limit }: Refusal): OrderChange =>
  limit === null ? {} : { scope: limit.scope, waitsUntil: timestamp(limit.until) };

/** The chain as it is. Throws AcmeUnavailable where its certificate is not of the key that asked for it. */
function issuedChain(chain: string, { publicKey }: SigningRequest): string {
  const key = new X509Certificate(chain).publicKey.export({ format: 'der', type: 'spki' });
  if (!key.equals(publicKey)) throw new AcmeUnavailable('the certificate is of another key than was asked for');
  return chain;
}
