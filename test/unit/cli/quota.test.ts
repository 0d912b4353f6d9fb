import { expect, it } from '@jest/globals';
import type { AccountQuota, KeyQuota } from '../../../src/cli/quota-command.ts';
import { printQuota } from '../../../src/cli/quota-command.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const limits: AccountQuota = { account: 'acme', plan: 'pro', requestsPerMinute: 300, requestsPerDay: 10_000 };
const key = (changes: Partial<KeyQuota>): KeyQuota => ({
  account: 'acme',
  name: 'key-a',
  displayName: null,
  lastUsedAt: null,
  limited: null,
  bannedUntil: null,
  bans: [],
  ...changes,
});
const ban = { from: '2026-01-01T11:59:00Z', until: '2026-01-01T12:04:00Z', step: 2 };

it.each<[string, AccountQuota | null, readonly KeyQuota[], readonly string[]]>([
  [
    'a key that was never used',
    limits,
    [key({})],
    [
      '300 requests a minute and 10000 a day',
      'acme      key-a   -              never       never     -            -              0',
    ],
  ],
  [
    'a key that is banned, why, and how the ban is lifted',
    limits,
    [key({ bannedUntil: ban.until, bans: [ban], limited: { at: '2026-01-01T11:58:00Z', window: 'minute' } })],
    [
      '2026-01-01T11:58:00Z   minute       2026-01-01T12:04:00Z   1',
      'Key key-a is banned until 2026-01-01T12:04:00Z, step 2 of 5: its client kept sending requests after 429',
      'kubectl annotate apikey key-a --overwrite projectdomain.io/lift-ban-at=2026-01-01T12:00:00Z',
    ],
  ],
  ['an account without keys', limits, [], ['It has no keys.']],
  ['that nobody is limited', null, [], ['No key is banned, and none was limited within the hour.']],
  ['a display name on one line, whatever it is', null, [key({ displayName: 'a\u202eb' })], ['a?b']],
])('shows %s', (_, account, keys, expected) => {
  const shown = printQuota({ limits: account, keys }, now);
  for (const text of expected) expect(shown).toContain(text);
});
