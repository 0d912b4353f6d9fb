import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { renewCertificate } from '../support/renew-certificate.ts';

/** The certificate of a hostname that redirects is renewed over http, and nobody fails meanwhile. Fails where the redirect takes the challenge's path along. */

const fixture = useConformance(import.meta.filename);

it(
  'redirects on with the next certificate',
  async () => {
    const hostname = inZone('old.redirect-renewal');
    const before = await fixture().serialNumber(hostname);
    const visits = fixture().visit([hostname], ({ status }) => status === 301);
    await renewCertificate(fixture().stage.kubectl, fixture().account, hostname);
    await eventually('the next certificate is served', 60_000, async () => {
      expectThat((await fixture().serialNumber(hostname)) !== before, 'it is the one before');
    });
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
