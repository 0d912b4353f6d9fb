import { it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { childName } from '../../src/rules/dns-target.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** A hostname whose TLS Secret somebody deletes gets another certificate, and is served with it. Fails where an edge stays without one. */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.secret-deleted');

it(
  'is served with a new certificate',
  async () => {
    const before = await fixture().serialNumber(hostname);
    await fixture().remove('secret', childName(hostname));
    await eventually('another certificate is served', 60_000, async () => {
      expectThat((await fixture().serialNumber(hostname)) !== before, 'it is the one before');
    });
    await fixture().answers(hostname, 200);
    await fixture().isLive(hostname);
  },
  conformanceDeadlineMs,
);
