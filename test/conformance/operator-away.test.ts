import { afterAll, expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { actOnPlatform } from '../support/platform-control.ts';

/**
 * While the operator is away, and when it is back, no visitor fails; what was changed meanwhile is served once it is back. Fails where a hostname needs the operator
 * to be served, or a start writes routes anew.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });
const zone = inZone('operator-away');
const [www, old, later] = [`www.${zone}`, `old.${zone}`, `later.${zone}`] as const;

let isAway = false;
/** A second one beside one that runs would be started over and over for as long as the platform is there. */
const startAgain = async () => {
  if (isAway) await actOnPlatform('start operator');
  isAway = false;
};
afterAll(startAgain, conformanceDeadlineMs);

it(
  'fails nobody',
  async () => {
    for (const hostname of [www, old]) await fixture().createRecord(hostname);
    for (const hostname of [www, old]) await fixture().isLive(hostname);
    await fixture().answers(old, 301);
    const visits = fixture().visit([www, old], ({ status }, hostname) => status === (hostname === old ? 301 : 200));
    isAway = true;
    await actOnPlatform('stop operator');
    await fixture().patch('project', 'shop', { spec: { service: { port: 8081 } } });
    await fixture().patch('project', 'shop', { spec: { service: { port: 8080 } } });
    await visits.further(150);
    await startAgain();
    await fixture().createRecord(later);
    await fixture().isLive(later);
    await fixture().answers(later, 200);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
