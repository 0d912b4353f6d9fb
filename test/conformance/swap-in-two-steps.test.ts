import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/**
 * Two hostnames that change places by two writes, the destination's first, are never without an answer, although both redirect to each other in
 * between. Fails where the redirect stops before its destination has the project's place.
 */

const fixture = useConformance(import.meta.filename);
const zone = inZone('swap-in-two-steps');

it(
  'keeps both answered, there and back, five times',
  async () => {
    const visits = fixture().visit(fixture().hostnames, ({ status }) => status === 200 || status === 301);
    const swap = async (demoted: string, promoted: string) => {
      const redirect = { to: `${promoted}.${zone}` };
      await fixture().patch('projectdomain', demoted, { spec: { role: 'Redirect', redirect } });
      await visits.further(50);
      await fixture().patch('projectdomain', promoted, { spec: { role: 'Primary', redirect: null } });
      await fixture().answers(`${promoted}.${zone}`, 200);
      await fixture().answers(`${demoted}.${zone}`, 301);
    };
    for (let round = 0; round < 5; round += 1) {
      await swap('www', 'old');
      await swap('old', 'www');
    }
    for (const hostname of fixture().hostnames) await fixture().isLive(hostname);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
