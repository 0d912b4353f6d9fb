import type { AnswerOnce } from '../../src/server/idempotency/answer-once.ts';

/** For an app whose requests have no idempotency keys. */
export const answeredAnew: AnswerOnce = () => Promise.reject(new Error('no idempotency key is sent here'));
