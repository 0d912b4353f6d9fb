import { expect, it } from '@jest/globals';
import type { QuotaNotice } from '../../../src/api-server/app-options.ts';
import { createQuotaNotices } from '../../../src/api-server/app-options.ts';
import type { Decision } from '../../../src/quota/quota-port.ts';
import type { Caller } from '../../../src/use-cases/api-dependencies.ts';

const midnight = Date.UTC(2026, 0, 2);
const noon = midnight - 12 * 3_600_000;
const caller = { account: { metadata: { name: 'acme' } } } as Caller;

/** A decision after which so many are left of 100 a minute and of 1,000 a day. */
function left(minute: number, day: number, now = noon, kind: Decision['kind'] = 'allowed'): Decision {
  return {
    kind,
    now,
    minute: { limit: 100, remaining: minute, resetsAtMs: now + 5_000 },
    day: { limit: 1_000, remaining: day, resetsAtMs: midnight },
    binding: 'minute',
    retryAfter: null,
    ban: null,
    banBegins: false,
    degraded: false,
  };
}

const said = ({ window, percent }: QuotaNotice) => `${window} ${percent}`;

// Would fail if each request of a full account made a line in the log, or if a full day went by unsaid.
it.each<[string, readonly Decision[], readonly string[]]>([
  ['nothing before four fifths are used', [left(21, 201)], []],
  ['four fifths, and all of it', [left(20, 900), left(0, 900)], ['minute 80', 'minute 100']],
  ['each once, however many requests follow', [left(20, 200), left(19, 199), left(18, 198)], ['minute 80', 'day 80']],
  ['a minute again after an hour', [left(20, 900), left(20, 900, noon + 3_600_000)], ['minute 80', 'minute 80']],
  ['a day again on the next one', [left(90, 0), left(90, 0, midnight)], ['day 100', 'day 100']],
  ['nothing of an account by a key that is banned', [left(0, 0, noon, 'banned')], []],
  ['nothing while a process counts alone, as it has a part of the limit', [{ ...left(0, 0), degraded: true }], []],
  ['what a refused request finds', [left(0, 500, noon, 'limited')], ['minute 100']],
])('says %s', (_, decisions, expected) => {
  const notices: QuotaNotice[] = [];
  const note = createQuotaNotices((notice) => notices.push(notice));
  for (const decision of decisions) note(caller, decision);
  expect(notices.map(said)).toEqual(expected);
  expect(notices.every(({ account }) => account === 'acme')).toBe(true);
});
