import { describe, expect, it } from '@jest/globals';
import { AcmeProblem } from '../../../../src/acme/acme-errors.ts';
import type { Asked, Refusal, RefusalCode } from '../../../../src/issuing/acme/order-refusal.ts';
import { refusalOf } from '../../../../src/issuing/acme/order-refusal.ts';

const hostname = 'www.example.com';
const now = Date.parse('2026-01-01T12:00:00Z');
const minute = 60_000;

type Fields = ConstructorParameters<typeof AcmeProblem>[0];

const problem = (changes: Partial<Fields> = {}): AcmeProblem =>
  new AcmeProblem({ type: 'caa', detail: 'details', status: 403, retryAfterMs: null, subproblems: [], ...changes });

const read = (changes: Partial<Fields>, asked: Asked = 'newOrder'): Refusal =>
  refusalOf(problem(changes), { hostname, asked, now });

interface Row {
  readonly name: string;
  readonly type: string;
  readonly asked: Asked;
  readonly code: RefusalCode;
  readonly isFinal: boolean;
}

const rows: readonly Row[] = [
  {
    name: 'a challenge that nobody answers is for whoever runs what is in front',
    type: 'connection',
    asked: 'http-01',
    code: 'CannotConnect',
    isFinal: true,
  },
  {
    name: 'a challenge with another answer comes from another server',
    type: 'unauthorized',
    asked: 'http-01',
    code: 'AnsweredElsewhere',
    isFinal: true,
  },
  {
    name: 'the same type of an order is about our account, so no order is given up for it',
    type: 'unauthorized',
    asked: 'order',
    code: 'AccountRefused',
    isFinal: false,
  },
  { name: 'a name that cannot be resolved', type: 'dns', asked: 'http-01', code: 'CannotResolve', isFinal: true },
  {
    name: 'an answer that is not found over DNS',
    type: 'unauthorized',
    asked: 'dns-01',
    code: 'ChallengeNotFound',
    isFinal: true,
  },
  { name: 'a CAA record, found at the challenge', type: 'caa', asked: 'http-01', code: 'CaaForbids', isFinal: true },
  { name: 'a CAA record, found at the end', type: 'caa', asked: 'order', code: 'CaaForbids', isFinal: true },
  {
    name: 'a name that it does not issue for',
    type: 'rejectedIdentifier',
    asked: 'order',
    code: 'NameRefused',
    isFinal: true,
  },
  { name: 'its limit', type: 'rateLimited', asked: 'newOrder', code: 'RateLimited', isFinal: false },
  { name: 'terms that changed', type: 'userActionRequired', asked: 'order', code: 'AccountRefused', isFinal: false },
  { name: 'its own fault', type: 'serverInternal', asked: 'order', code: 'TryLater', isFinal: false },
  { name: 'a type that nobody knows', type: 'urn:x', asked: 'order', code: 'OrderRefused', isFinal: true },
  {
    name: 'a limit that the server of a customer writes into a challenge pauses nobody',
    type: 'rateLimited',
    asked: 'http-01',
    code: 'OrderRefused',
    isFinal: true,
  },
];

describe('a refusal of the authority', () => {
  it.each(rows)('$name: $code', ({ type, asked, code, isFinal }) => {
    const refusal = read({ type }, asked);
    expect(refusal).toMatchObject({ code, isFinal });
    expect(refusal.limit === null).toBe(code !== 'RateLimited');
  });

  it('of anything but a new order says nothing of its limits, as one that is asked too much says the same', () => {
    const refusal = read({ type: 'rateLimited', retryAfterMs: 5 * minute }, 'order');
    expect(refusal).toMatchObject({ code: 'RateLimited', isFinal: false, limit: null, retryAfterMs: 5 * minute });
  });

  it('is said with its words, its type and what to do for this hostname', () => {
    expect(read({ type: 'caa', detail: 'CAA record for example.com prevents issuance' }).message).toBe(
      'the certificate authority says: CAA record for example.com prevents issuance (caa); a CAA record forbids it to issue for www.example.com; permit it there, or remove the record',
    );
  });

  it('without words is its type', () => {
    expect(read({ type: 'serverInternal', detail: '' }).message).toBe(
      'the certificate authority says: serverInternal; the same is tried again',
    );
  });

  it('is read from what it says of this hostname, where it says something of each', () => {
    const subproblems = [
      { type: 'dns', detail: 'another name', identifier: 'other.example.com' },
      { type: 'caa', detail: 'this name', identifier: hostname },
    ];
    expect(read({ type: 'malformed', subproblems })).toMatchObject({
      code: 'CaaForbids',
      message: expect.stringContaining('this name'),
    });
  });

  it.each([
    ['by the time in its text', 'too many new orders, retry after 2026-01-01 12:40:00 UTC', 5 * minute, 40 * minute],
    ['by Retry-After where its text names none', 'too many new orders', 5 * minute, 5 * minute],
    ['for an hour where it names no time at all', 'too many new orders', null, 60 * minute],
    ['for a day at most, whatever it asks of the whole account', 'too many new orders', 9_999 * minute, 1_440 * minute],
  ])('by its limit holds %s', (_, detail, retryAfterMs, ms) => {
    const { limit } = read({ type: 'rateLimited', detail, retryAfterMs });
    expect(limit).toEqual({ scope: 'Issuer', until: now + ms });
  });

  it('by a limit of this name alone pauses no other', () => {
    const detail = 'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s';
    expect(read({ type: 'rateLimited', detail }).limit?.scope).toBe('Name');
  });
});
