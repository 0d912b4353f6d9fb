import { describe, expect, it } from '@jest/globals';
import { AcmeProblem } from '../../../../src/acme/acme-errors.ts';
import type { Authorization, Challenge, Order } from '../../../../src/acme/acme-objects.ts';
import type { OrderSnapshot, OrderStep } from '../../../../src/issuing/acme/order-step.ts';
import { orderStep } from '../../../../src/issuing/acme/order-step.ts';

const base = 'https://authority.example';
const problem = (type: string): AcmeProblem =>
  new AcmeProblem({ type, detail: 'because', status: null, retryAfterMs: null, subproblems: [] });

const order = (fields: Partial<Order>): Order => ({
  status: 'pending',
  authorizations: [`${base}/authorization/1`],
  finalize: `${base}/finalize`,
  ...fields,
});

const challenge = (name: string, fields: Partial<Challenge> = {}): Challenge => ({
  type: 'http-01',
  url: `${base}/challenge/${name}`,
  status: 'pending',
  token: `token-of-${name}`,
  ...fields,
});

const authorization = (value: string, fields: Partial<Authorization> = {}): Authorization => ({
  status: 'pending',
  identifier: { type: 'dns', value },
  wildcard: false,
  challenges: [challenge(value)],
  ...fields,
});

const snapshot = (fields: Partial<OrderSnapshot>): OrderSnapshot => ({
  order: order({}),
  authorizations: [authorization('a')],
  kind: 'http-01',
  answered: new Set(),
  ...fields,
});

const answered = new Set(['token-of-a', 'token-of-b']);
const dns = challenge('dns', { type: 'dns-01' });

describe('the next step of an order', () => {
  it.each<[sentence: string, known: Partial<OrderSnapshot>, step: OrderStep]>([
    ['that the authority does not have is to place it', { order: null, authorizations: [] }, { step: 'Place' }],
    ['is to answer before anything is triggered', {}, { step: 'Answer', tokens: ['token-of-a'] }],
    [
      'with a name unanswered is to answer that one, and the answered one waits with it',
      { authorizations: [authorization('a'), authorization('b')], answered: new Set(['token-of-a']) },
      { step: 'Answer', tokens: ['token-of-b'] },
    ],
    [
      'with every token answered is to trigger all challenges at once',
      { authorizations: [authorization('a'), authorization('b')], answered },
      { step: 'Trigger', challenges: [`${base}/challenge/a`, `${base}/challenge/b`] },
    ],
    [
      'never triggers a challenge that the authority is validating',
      { authorizations: [authorization('a', { challenges: [challenge('a', { status: 'processing' })] })], answered },
      { step: 'Wait' },
    ],
    [
      'leaves a name alone that is proven',
      { authorizations: [authorization('a', { status: 'valid' }), authorization('b')], answered },
      { step: 'Trigger', challenges: [`${base}/challenge/b`] },
    ],
    [
      'waits while all names are proven and the order does not say so yet',
      { authorizations: [authorization('a', { status: 'valid' })] },
      { step: 'Wait' },
    ],
    [
      'takes the challenge of its kind, whatever is offered beside it',
      { authorizations: [authorization('a', { challenges: [challenge('a'), dns] })], kind: 'dns-01' },
      { step: 'Answer', tokens: ['token-of-dns'] },
    ],
    [
      'fails where its kind is not offered, as for a wildcard by HTTP',
      { authorizations: [authorization('a', { challenges: [dns] })] },
      { step: 'Fail', problem: null, because: 'the authority offers no http-01 challenge for a' },
    ],
    [
      'fails with what the challenge says once its authorization is invalid',
      {
        authorizations: [
          authorization('a', {
            status: 'invalid',
            challenges: [challenge('a', { status: 'invalid', error: problem('connection') })],
          }),
        ],
        answered,
      },
      { step: 'Fail', problem: problem('connection'), because: 'the authorization of a is invalid' },
    ],
    ...(['deactivated', 'expired', 'revoked'] as const).map((status): [string, Partial<OrderSnapshot>, OrderStep] => [
      `is lost where the authorization is ${status}: no authority counts that`,
      { authorizations: [authorization('a', { status })], answered },
      { step: 'Lost', because: `the authorization of a is ${status}` },
    ]),
    [
      'fails where one name was refused, though the proof of another one has expired',
      {
        authorizations: [
          authorization('b', { status: 'expired' }),
          authorization('a', {
            status: 'invalid',
            challenges: [challenge('a', { status: 'invalid', error: problem('dns') })],
          }),
        ],
      },
      { step: 'Fail', problem: problem('dns'), because: 'the authorization of a is invalid' },
    ],
    [
      'fails where the challenge was refused, though the authority does not say so of the authorization',
      { authorizations: [authorization('a', { challenges: [challenge('a', { error: problem('caa') })] })] },
      { step: 'Fail', problem: problem('caa'), because: 'the authorization of a is pending' },
    ],
    [
      'that is invalid and says nothing more has expired',
      { order: order({ status: 'invalid' }), authorizations: [authorization('a')] },
      { step: 'Lost', because: 'the order is invalid' },
    ],
    [
      "that is invalid by the authority's own fault is lost",
      {
        order: order({ status: 'invalid', error: problem('serverInternal') }),
        authorizations: [authorization('a', { status: 'valid' })],
      },
      { step: 'Lost', because: 'the order is invalid' },
    ],
    [
      "that is invalid by the authority's own fault while it validated fails: it counts that all the same",
      {
        order: order({ status: 'invalid', error: problem('serverInternal') }),
        authorizations: [authorization('a', { status: 'invalid' })],
      },
      { step: 'Fail', problem: problem('serverInternal'), because: 'the order is invalid' },
    ],
    [
      'that is ready is to finalize it',
      { order: order({ status: 'ready' }), authorizations: [] },
      { step: 'Finalize', url: `${base}/finalize` },
    ],
    [
      'that is finalized is to wait: never a second time',
      { order: order({ status: 'processing' }), authorizations: [] },
      { step: 'Wait' },
    ],
    [
      'that is valid is to download its certificate',
      { order: order({ status: 'valid', certificate: `${base}/certificate` }), authorizations: [] },
      { step: 'Download', url: `${base}/certificate` },
    ],
    [
      'that is valid without a certificate yet is to wait',
      { order: order({ status: 'valid' }), authorizations: [] },
      { step: 'Wait' },
    ],
    [
      'that is invalid fails with its own problem where no challenge has one',
      { order: order({ status: 'invalid', error: problem('badCSR') }), authorizations: [] },
      { step: 'Fail', problem: problem('badCSR'), because: 'the order is invalid' },
    ],
    [
      'that is invalid fails with the problem of the challenge, which is nearer to the cause',
      {
        order: order({ status: 'invalid', error: problem('unauthorized') }),
        authorizations: [authorization('a', { challenges: [challenge('a', { error: problem('dns') })] })],
      },
      { step: 'Fail', problem: problem('dns'), because: 'the order is invalid' },
    ],
  ])('%s', (_, known, step) => {
    expect(orderStep(snapshot(known))).toEqual(step);
  });
});
