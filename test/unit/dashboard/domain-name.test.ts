import { describe, expect, it } from '@jest/globals';
import { withRetryAt } from '../../../src/dashboard/notice.ts';
import { domainName } from '../../../src/dashboard/views/elements.ts';
import { html } from '../../../src/dashboard/html.ts';
import { problemMain } from '../../../src/dashboard/views/problem-view.ts';
import { removeMain } from '../../../src/dashboard/views/change-view.ts';
import { domainModel } from '../../support/domain-model.ts';
import { presentation } from '../../support/view-context.ts';

const view = { ...presentation, csrf: 'token' };
const plain = (text: string): string => text.replaceAll('<wbr>', '').replaceAll(/<[^>]*>/g, '');

describe('the name of a domain', () => {
  it.each([
    ['xn--mnchen-3ya.example.com', 'münchen.example.com (xn--mnchen-3ya.example.com)'],
    ['www.example.com', 'www.example.com'],
  ])('of %s is %s', (hostname, expected) => {
    expect(plain(html`${domainName(hostname)}`.text)).toBe(expected);
  });

  it('keeps the direction of its letters to itself', () => {
    expect(html`${domainName('xn--4dbcagdahymbxekheh6e0a7fei0b.example')}`.text).toMatch(/^<bdi>[^<]+<wbr>/);
  });

  it('is what somebody is asked to remove', () => {
    expect(
      plain(removeMain(view, domainModel({ hostname: 'xn--mnchen-3ya.example.com' }), { count: 0, named: [] }).text),
    ).toContain('Remove münchen.example.com (xn--mnchen-3ya.example.com)');
  });
});

describe('a refused page', () => {
  const refused = { code: 'quota-exceeded', detail: '', members: { retryAfter: 60_995 } } as const;

  it('says when, as a time, wherever the refusal came from', () => {
    const { members } = withRetryAt(refused, Date.parse('2026-11-20T02:03:25Z'));
    expect(members.retryAt).toBe('2026-11-20T19:00:00.000Z');
    const text = problemMain(view, { problem: { ...refused, members }, requestId: 'r1' }).text;
    expect(plain(text)).toContain('Try again on 20 Nov 2026 at 19:00 UTC.');
    expect(plain(text)).not.toMatch(/60,995|seconds/);
  });

  it('keeps a time that it has, and needs none where it is no matter of waiting', () => {
    const known = { ...refused, members: { retryAfter: 5, retryAt: '2026-11-20T19:00:00Z' } };
    expect(withRetryAt(known, 0)).toBe(known);
    const other = { ...refused, code: 'conflict', members: {} } as const;
    expect(withRetryAt(other, 0)).toBe(other);
    expect(problemMain(view, { problem: other, requestId: 'r1' }).text).not.toContain('id="retry"');
  });

  it.each([
    [true, true],
    [false, false],
  ])(
    'has a button that waits for the script; after a form (%s) it leads back to the page that has it',
    (isForm, back) => {
      const { text } = problemMain(view, { problem: refused, requestId: 'r1', isForm });
      const [, attributes = ''] = /<button([^>]*)>/.exec(text) ?? [];
      expect(attributes).toContain('data-wait="60995"');
      expect(attributes).toContain('hidden');
      expect(attributes.includes('data-back')).toBe(back);
    },
  );
});
