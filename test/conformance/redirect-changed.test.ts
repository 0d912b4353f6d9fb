import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** A redirect changes its status and its destination, and no visitor is left without one. Fails where an edge takes a change of the redirector for one of its own. */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('old.redirect-changed');

it(
  'leads with each status, to each destination',
  async () => {
    const platformHostname = `redirect-changed.${fixture().stage.facts.platformDomain}`;
    await fixture().stage.answers(platformHostname, 'shop-web');
    const visits = fixture().visit([hostname], ({ status }) => status > 300 && status < 309);
    for (const redirect of [
      { to: inZone('www.redirect-changed'), status: 308 },
      { to: platformHostname, status: 302 },
      { to: inZone('www.redirect-changed'), status: 307 },
      { to: inZone('www.redirect-changed'), status: 301 },
    ]) {
      await fixture().patch('projectdomain', 'old', { spec: { redirect } });
      await eventually(`it leads to ${redirect.to} by ${redirect.status}`, 30_000, async () => {
        const { status, headers } = await fixture().ask(hostname, '/a?b');
        const expected = `${redirect.status} https://${redirect.to}/a?b`;
        expectThat(`${status} ${String(headers.location)}` === expected, `${status} ${String(headers.location)}`);
      });
    }
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
