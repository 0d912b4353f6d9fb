import { describe, expect, it } from '@jest/globals';
import { html } from '../../../src/dashboard/html.ts';
import { problemView } from '../../../src/dashboard/notice.ts';
import { problemMain, problemWords } from '../../../src/dashboard/views/problem-view.ts';
import { problemCodes } from '../../../src/rules/codes/problem-codes.ts';
import type { ProblemCode } from '../../../src/use-cases/problem.ts';
import { Problem } from '../../../src/use-cases/problem.ts';
import { presentation } from '../../support/view-context.ts';

const view = { ...presentation, csrf: '' };

function worded(code: ProblemCode, members: Readonly<Record<string, unknown>> = {}): string {
  const { title, detail } = problemWords(view, problemView(new Problem(code, 'prose of REST', { members })));
  return html`${title}: ${detail}`.text.replaceAll(/<[^>]*>/g, '');
}

/** Prose of REST would be English for everybody, in the words of integrators. */
describe('a problem on a page', () => {
  it.each<[string, ProblemCode, Readonly<Record<string, unknown>>, string]>([
    ['of a reason, in the words of help', 'invalid-hostname', { reason: 'IPLiteral' }, 'This is an IP address'],
    ['of a project that is missing', 'not-found', { missing: 'project', name: 'nothing' }, 'named “nothing”'],
    ['of a scope that is missing', 'scope-missing', { scope: 'keys:write' }, 'allowed to: Manage API keys.'],
    ['of a quota', 'quota-exceeded', { retryAfter: 1 }, 'Try again in 1 second.'],
    ['of a quota for minutes', 'quota-exceeded', { retryAfter: 150 }, 'Try again in 3 minutes.'],
    [
      'of a quota for hours, as the time of day',
      'quota-exceeded',
      { retryAfter: 60_995, retryAt: '2026-11-21T00:00:00Z' },
      'Try again on 21 Nov 2026 at 00:00 UTC.',
    ],
    ['of a ban', 'abnormal-usage-detected', { until: '2026-11-20T08:15:00Z' }, 'again on 20 Nov 2026 at 08:15 UTC.'],
    ['of a field', 'malformed-request', { errors: [{ pointer: '/scopes' }] }, 'Choose at least one thing'],
    ['of its code alone', 'sessions-unavailable', {}, 'We cannot confirm your sign-in right now'],
  ])('%s', (_, code, members, expected) => {
    expect(worded(code, members)).toContain(expected);
    expect(worded(code, members)).not.toContain('prose of REST');
  });

  it.each(Object.keys(problemCodes) as ProblemCode[])('%s has the title that it has in REST', (code) => {
    const problem = new Problem(code, 'prose of REST');
    expect(problemWords(view, problemView(problem)).title).toBe(problem.document('r1').title);
  });

  it('keeps the sentence of the server where neither code nor field says what is wrong', () => {
    expect(worded('malformed-request')).toContain('prose of REST');
  });

  it.each<[string, ProblemCode, string]>([
    ['to the page that is still open where others would be refused as well', 'quota-exceeded', '/dashboard/plan'],
    ['to the projects otherwise', 'conflict', '/dashboard/projects'],
  ])('leads %s', (_, code, path) => {
    const problem = problemView(new Problem(code, 'prose of REST'));
    expect(problemMain(view, { problem, requestId: 'r1' }).text).toContain(`<a class="button main" href="${path}">`);
  });
});
