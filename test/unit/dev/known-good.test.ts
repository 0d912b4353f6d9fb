import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openKnownGood } from '../../../dev/lint/known-good.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';

/** Fails when a file is passed over that changed, or whose rules did; or when a run forgets what another copy had looked at. */

const before = { ...process.env };
beforeEach(() => {
  process.env.XDG_CACHE_HOME = temporaryFolder('known-good');
});
afterEach(() => {
  process.env = { ...before };
});

describe('what a check found nothing in', () => {
  it.each<[string, readonly string[], boolean]>([
    ['the same file with the same rules is known', ['rules', 'a.ts', 'text'], true],
    ['another content is not', ['rules', 'a.ts', 'other text'], false],
    ['another path is not, as rules go by paths', ['rules', 'b.ts', 'text'], false],
    ['with other rules it is not', ['other rules', 'a.ts', 'text'], false],
    ['what only runs together as one text is not', ['rules', 'a.tst', 'ext'], false],
  ])('%s', (_, parts, expected) => {
    const first = openKnownGood('checked');
    first.keep([first.digestOf('rules', 'a.ts', 'text')]);
    const later = openKnownGood('checked');
    expect(later.has(later.digestOf(...parts))).toBe(expected);
  });

  it('is kept beside what others found, and by the name of the check', () => {
    const first = openKnownGood('checked');
    first.keep([first.digestOf('a')]);
    openKnownGood('checked').keep([first.digestOf('b')]);
    const later = openKnownGood('checked');
    expect(['a', 'b'].map((part) => later.has(later.digestOf(part)))).toEqual([true, true]);
    expect(openKnownGood('other').has(first.digestOf('a'))).toBe(false);
  });
});
