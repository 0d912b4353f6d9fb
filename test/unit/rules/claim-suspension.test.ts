import { describe, expect, it } from '@jest/globals';
import type { SuspendableClaim, SuspensionClaims } from '../../../src/rules/claim-suspension.ts';
import { isHostnameSuspended, suspendedBecause, suspendedBelowAtMost } from '../../../src/rules/claim-suspension.ts';

/** One rule for every hostname that is served. It fails where a way round an administrator's annotation opens. */

const named = (name: string, why?: string): SuspendableClaim => ({
  metadata: { name, ...(why === undefined ? {} : { annotations: { 'projectdomain.io/suspend': why } }) },
});
const none: SuspensionClaims = { claim: undefined, claimAbove: undefined, suspendedBelow: 0 };

describe('a hostname', () => {
  it.each<[string, string, Partial<SuspensionClaims>, string | null]>([
    ['without a claim is not suspended', 'www.example.com', {}, null],
    ['whose claim says nothing is not', 'www.example.com', { claim: named('www.example.com') }, null],
    [
      'is suspended by its own claim',
      'www.example.com',
      { claim: named('www.example.com', 'report 12') },
      'suspended by an administrator: report 12',
    ],
    [
      'is suspended by an annotation without a reason',
      'www.example.com',
      { claim: named('www.example.com', '') },
      'suspended by an administrator: ',
    ],
    [
      'is suspended with the wildcard that includes it, as it could be added again by itself',
      'www.example.com',
      { claim: named('www.example.com'), claimAbove: named('wc--wildcard.example.com', 'report 13') },
      'suspended by an administrator with *.example.com: report 13',
    ],
    [
      'of the platform is suspended by its claim like any other',
      'shop.apps.example.net',
      { claim: named('shop.apps.example.net', 'phishing') },
      'suspended by an administrator: phishing',
    ],
    [
      'that is a wildcard is suspended by its own claim',
      '*.example.com',
      { claim: named('wc--wildcard.example.com', 'spam') },
      'suspended by an administrator: spam',
    ],
    [
      'that is a wildcard is served beside as many suspended hostnames as an edge can name',
      '*.example.com',
      { suspendedBelow: suspendedBelowAtMost },
      null,
    ],
    [
      'that is a wildcard is suspended with one more',
      '*.example.com',
      { suspendedBelow: suspendedBelowAtMost + 1 },
      'an administrator suspended 17 hostnames below it, and no wildcard is served with more than 16',
    ],
    [
      'has a reason that a condition has room for',
      'www.example.com',
      { claim: named('www.example.com', 'x'.repeat(5_000)) },
      `suspended by an administrator: ${'x'.repeat(256)}`,
    ],
  ])('%s', (_title, hostname, claims, why) => {
    expect(suspendedBecause(hostname, { ...none, ...claims })).toBe(why);
  });

  it.each([
    ['www.example.com', true, 'its own claim'],
    ['api.example.org', true, 'the wildcard above it'],
    ['a.api.example.org', false, 'no wildcard includes two labels'],
    ['example.org', false, 'nor its base'],
    ['localhost', false, 'nothing is above one label'],
  ])('%s is found suspended by name: %s (%s)', (hostname, expected) => {
    const claims = new Map(
      [named('www.example.com', 'x'), named('wc--wildcard.example.org', 'y')].map((one) => [one.metadata.name, one]),
    );
    expect(isHostnameSuspended(hostname, (name) => claims.get(name))).toBe(expected);
  });
});
