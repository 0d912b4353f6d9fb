import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inZone, useConformance } from '../support/conformance.ts';
import { renewCertificate } from '../support/renew-certificate.ts';

/** A certificate is renewed, by a challenge over http, and the next one is served without a gap. */

const fixture = useConformance(import.meta.filename);

it('serves the next certificate, and fails nobody meanwhile', async () => {
  const hostname = inZone('www.renewal');
  const before = await fixture().serialNumber(hostname);
  const visits = fixture().visit([hostname], ({ status }) => status === 200);
  await renewCertificate(fixture().stage.kubectl, fixture().account, hostname);
  await eventually('the next certificate is served', 60_000, async () => {
    expectThat((await fixture().serialNumber(hostname)) !== before, 'it is the one before');
  });
  const { failed } = await visits.end();
  expect(failed).toEqual([]);
});
