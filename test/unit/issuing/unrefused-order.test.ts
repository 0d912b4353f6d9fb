import { describe, expect, it } from '@jest/globals';
import { isUnrefused } from '../../../src/issuing/order-history.ts';

/** What cert-manager says of orders that ended: which of them the authority refused. */

const of = (state: string, reason: string): string =>
  `Failed to wait for order resource "pd-x-1" to become ready: order is in "${state}" state: ${reason}`;
const answer = '404 urn:ietf:params:acme:error:malformed: no such order';

describe('an order of cert-manager that ended without a certificate', () => {
  it.each<[string, string | undefined, boolean]>([
    ['that expired was not refused', of('expired', ''), true],
    ['that the authority has lost was not', of('errored', `Failed to retrieve Order resource: ${answer}`), true],
    ['whose proof it has lost was not', of('errored', `Failed to fetch authorization: ${answer}`), true],
    ['whose certificate it has lost was not', of('errored', `Failed to retrieve signed certificate: ${answer}`), true],
    ['whose proof failed was', of('invalid', ''), false],
    ['that it did not take was', of('errored', `Failed to create Order: ${answer}`), false],
    ['that it did not issue was', of('errored', `Failed to finalize Order: ${answer}`), false],
    [
      "cannot be called unrefused by the customer's server, whose words come later",
      of('invalid', `got ${of('expired', '')}`),
      false,
    ],
    ['that says nothing was', undefined, false],
  ])('%s', (_, message, expected) => {
    expect(isUnrefused(message)).toBe(expected);
  });
});
