import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { actOnPlatform } from '../support/platform-control.ts';

/**
 * An edge that is started again serves every hostname as before, with the same certificates, and nobody has to do anything. Fails where an edge knows something that the
 * cluster does not say, or shows another certificate while it starts.
 */

const fixture = useConformance(import.meta.filename);
const [www, old] = [inZone('www.edge-restarted'), inZone('old.edge-restarted')] as const;

it(
  'serves what it served',
  async () => {
    await fixture().answers(old, 301);
    const before = await Promise.all(fixture().hostnames.map((hostname) => fixture().serialNumber(hostname)));
    // One process alone: connections are refused, or a hostname is unknown, while it starts.
    const visits = fixture().visit([www, old], ({ status }, hostname) => status === (hostname === old ? 301 : 200));
    await actOnPlatform('restart edge');
    await fixture().answers(www, 200);
    await fixture().answers(old, 301);
    const { failed } = await visits.end();
    expect(failed.filter((one) => / status (2|3)/.test(one))).toEqual([]);
    expect(await Promise.all(fixture().hostnames.map((hostname) => fixture().serialNumber(hostname)))).toEqual(before);
    for (const hostname of fixture().hostnames) await fixture().isLive(hostname);
  },
  conformanceDeadlineMs,
);
