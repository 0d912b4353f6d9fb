import { afterAll, expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { actOnPlatform } from '../support/platform-control.ts';

/**
 * Without the redirector, redirects answer 502, 503 or 504 and projects are served as ever; with it, redirects are back. Fails where an edge shows a project in place of
 * a redirect, or does not notice that the redirector is back.
 */

const fixture = useConformance(import.meta.filename);
const [www, old] = [inZone('www.redirector-away'), inZone('old.redirector-away')] as const;

let isAway = false;
const startAgain = async () => {
  if (isAway) await actOnPlatform('start redirector');
  isAway = false;
};
afterAll(startAgain, conformanceDeadlineMs);

it(
  'fails redirects alone, until it is back',
  async () => {
    await fixture().answers(old, 301);
    const visits = fixture().visit([www], ({ status }) => status === 200);
    isAway = true;
    await actOnPlatform('stop redirector');
    expect([502, 503, 504]).toContain((await fixture().ask(old)).status);
    await startAgain();
    await fixture().answers(old, 301);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
