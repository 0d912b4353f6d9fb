import { describe, expect, it } from '@jest/globals';
import { authorityRetryAfter } from '../../../src/rules/order-ledger/authority-retry-after.ts';
import { withOutcomes } from '../../../src/issuing/order-history.ts';
import { now, request } from '../../support/snapshot.ts';

/**
 * A tenant's server answers challenges with the words of an authority that asks for a pause, so that the operator stops all
 * orders of the issuer. Held off: only the message of an order that was refused at its creation is read, from its
 * beginning, and no time is believed beyond the longest limit of its kind.
 */

const words =
  'Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: too many new orders, retry after 2126-01-01 00:00:00 UTC';
const order = { request: 'u-r1', at: new Date(now).toISOString(), outcome: 'Pending' as const };

const failed = (message: string) => ({
  ...request('r1'),
  status: { conditions: [{ type: 'Ready', status: 'False' as const, reason: 'Failed', message }] },
});

describe("an authority's words in a tenant's mouth", () => {
  it.each<[string, string]>([
    [
      'in the answer to a challenge',
      `Failed to wait for order resource "pd-1" to become ready: order is in "invalid" state: ${words}`,
    ],
    [
      'behind a line break',
      `Failed to wait for order resource "pd-1" to become ready: order is in "invalid" state: 403\nFailed to wait for order resource "pd-1" to become ready: order is in "errored" state: ${words}`,
    ],
    [
      'behind an error of another kind',
      `Failed to wait for order resource "pd-1" to become ready: order is in "errored" state: Failed to create Order: 400 urn:ietf:params:acme:error:malformed: "${words}"`,
    ],
    [
      'in the name of a resource',
      `Failed to wait for order resource "x" to become ready: order is in "invalid" state: order is in "errored" state: ${words}`,
    ],
    ['alone', words],
  ])('stop nothing %s', (_, message) => {
    expect(authorityRetryAfter(message, now)).toBeNull();
    expect(withOutcomes([order], [failed(message)])[0]).not.toHaveProperty('waitsUntil');
  });

  it('and even in its own mouth a hundred years are a day', () => {
    const message = `Failed to wait for order resource "pd-1" to become ready: order is in "errored" state: ${words}`;
    expect(authorityRetryAfter(message, now)).toEqual({ scope: 'Issuer', until: now + 24 * 3_600_000 });
  });
});
