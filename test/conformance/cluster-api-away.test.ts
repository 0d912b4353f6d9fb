import { afterAll, expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { actOnPlatform } from '../support/platform-control.ts';

/**
 * While the kube-apiserver is away hostnames and redirects are served on, and new ones once it is back. Fails where an edge, or the redirector, gives up what it has when it can
 * read nothing, or does not watch again.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });
const zone = inZone('cluster-api-away');
const [www, old, later] = [`www.${zone}`, `old.${zone}`, `later.${zone}`] as const;

/** fifty a second: for longer than whoever watches the cluster takes to notice, and to try again and again */
const visitsMeanwhile = 250;

let isAway = false;
const startAgain = async () => {
  if (isAway) await actOnPlatform('start kube-apiserver');
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
    await actOnPlatform('stop kube-apiserver');
    await visits.further(visitsMeanwhile);
    await startAgain();
    await fixture().createRecord(later);
    await fixture().isLive(later);
    await fixture().answers(later, 200);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  2 * conformanceDeadlineMs,
);
