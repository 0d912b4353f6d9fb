import { describe, expect, it } from '@jest/globals';
import type { AuthorityRetryAfter } from '../../../../src/rules/order-ledger/authority-retry-after.ts';
import { authorityRetryAfter } from '../../../../src/rules/order-ledger/authority-retry-after.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;
const state = (name: string, reason: string) =>
  `Failed to wait for order resource "pd-abc-1-123" to become ready: order is in "${name}" state: ${reason}`;
const limited = (detail: string) =>
  state('errored', `Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: ${detail}`);

/** Messages of Boulder (Let's Encrypt), as cert-manager carries them into a CertificateRequest. */
describe("the authority's own word", () => {
  it.each<[string, string, AuthorityRetryAfter | null]>([
    [
      'new orders of the account',
      limited(
        'too many new orders (300) from this account in the last 3h0m0s, retry after 2026-01-01 12:40:10 UTC: see https://letsencrypt.org/docs/rate-limits/#new-orders-per-account',
      ),
      { scope: 'Issuer', until: Date.parse('2026-01-01T12:40:10Z') },
    ],
    [
      'certificates of a registered domain',
      limited(
        'too many certificates (50) already issued for "example.com" in the last 168h0m0s, retry after 2026-01-02 15:24:13 UTC: see https://letsencrypt.org/docs/rate-limits/',
      ),
      { scope: 'Domain', until: Date.parse('2026-01-02T15:24:13Z') },
    ],
    [
      'certificates of the same names',
      limited(
        'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-01-03 03:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/',
      ),
      { scope: 'Name', until: Date.parse('2026-01-03T03:00:00Z') },
    ],
    [
      'the same in its older words',
      limited(
        'too many certificates (5) already issued for this exact set of domains in the last 168h0m0s: www.example.com, retry after 2026-01-03T03:00:00Z',
      ),
      { scope: 'Name', until: Date.parse('2026-01-03T03:00:00Z') },
    ],
    [
      'failed authorizations',
      limited(
        'too many failed authorizations (5) for "www.example.com" in the last 1h0m0s, retry after 2026-01-01 12:12:00 UTC: see https://letsencrypt.org/docs/rate-limits/',
      ),
      { scope: 'Name', until: Date.parse('2026-01-01T12:12:00Z') },
    ],
    [
      'a name that is paused, without a time',
      limited(
        'Your account is temporarily prevented from requesting certificates for www.example.com and possibly others. Please visit: https://portal.letsencrypt.org/',
      ),
      { scope: 'Name', until: now + hour },
    ],
    ['words nobody knows', limited('slow down'), { scope: 'Issuer', until: now + hour }],
    [
      'a time in a hundred years for the whole account is not believed',
      limited('too many new orders (300) from this account, retry after 2126-01-01 00:00:00 UTC'),
      { scope: 'Issuer', until: now + day },
    ],
    [
      'a time that is none',
      limited('too many new orders, retry after 2026-99-99 99:99:99 UTC'),
      { scope: 'Issuer', until: now + hour },
    ],
    [
      'another refusal',
      state('errored', 'Failed to create Order: 400 urn:ietf:params:acme:error:rejectedIdentifier: no'),
      null,
    ],
    ['a failed challenge', state('invalid', ''), null],
    ['nothing', '', null],
  ])('%s', (_, message, word) => {
    expect(authorityRetryAfter(message, now)).toEqual(word);
  });
});
