import { describe, expect, it } from '@jest/globals';
import { domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import { askedQuery, verifyNotice } from '../../../src/dashboard/verify-notice.ts';
import { domainModel } from '../../support/domain-model.ts';
import { presentation } from '../../support/view-context.ts';

/** What a page says after Verify: the check is under way until one that began after it has ended, and then when, also where nothing changed. */

const before = domainModel({ state: 'Unverified', reason: 'RecordMissing' });
const query = Object.fromEntries(new URLSearchParams(askedQuery(10, before.domain)));
const checkedAt = '2026-11-29T14:03:07Z';
const after = (over: object, more: object) =>
  domainModel({ state: 'Unverified', reason: 'RecordMissing', checkedAt, ...over }, more);

describe('after Verify the page', () => {
  it.each<[string, ReturnType<typeof domainModel>, object]>([
    [
      'waits while the check is ahead',
      after({}, { version: 10, isVerifyAhead: true }),
      { kind: 'checking', since: 10 },
    ],
    ['waits while this replica does not know of it', after({}, { version: 9 }), { kind: 'checking', since: 10 }],
    ['says that nothing has changed', after({}, { version: 11 }), { kind: 'checked', at: checkedAt, isSame: true }],
    [
      'says what has',
      after({ state: 'Verified', reason: 'Issuing' }, { version: 11 }),
      { kind: 'checked', at: checkedAt, isSame: false },
    ],
  ])('%s', (_, model, expected) => {
    expect(verifyNotice(query, model)).toMatchObject(expected);
  });

  it('says nothing of it where nobody asked, and takes no query at its word', () => {
    expect(verifyNotice({}, before)).toBeNull();
    expect(verifyNotice({ done: 'verify', since: ['1'], was: 7 }, after({}, {}))).toMatchObject({ isSame: false });
  });
});

describe('the line of the panel', () => {
  const line = (model: ReturnType<typeof domainModel>) =>
    /<p[^>]*id="checked"[^>]*>([\s\S]*?)<\/p>/.exec(domainPanel({ ...presentation, csrf: '' }, model).text)?.[0] ?? '';

  it('says when DNS was checked, to the second, and what the script has to know', () => {
    const shown = line(after({}, { version: 11 }));
    expect(shown).toContain(`datetime="${checkedAt}"`);
    expect(shown).toContain('data-version="11"');
    expect(shown).toContain('data-ahead="false"');
    expect(shown).toContain('data-key="Unverified RecordMissing"');
  });

  it('says that a check is under way, and no time of an earlier one', () => {
    const shown = line(after({}, { isVerifyAhead: true }));
    expect(shown).toContain('Checking DNS…');
    expect(shown).not.toContain(checkedAt);
  });

  it('says nothing before the first check', () => {
    expect(line(domainModel({ checkedAt: null }))).not.toContain('<time');
  });
});
