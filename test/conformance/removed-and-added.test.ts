import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** A hostname that is removed and added again is served as before, with the certificate that it had. Fails where an edge remembers that it was gone. */

const fixture = useConformance(import.meta.filename);

it(
  'comes back, for another project too',
  async () => {
    const { stage, account } = fixture();
    const hostname = inZone('www.removed-and-added');
    const before = await fixture().serialNumber(hostname);
    await fixture().remove('projectdomain', 'other');
    for (const project of ['shop', 'other']) {
      await fixture().remove('projectdomain', 'www');
      await fixture().isGone(hostname);
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: 'www', namespace: account },
        spec: { project, hostname },
      });
      // Each project has a target of its own.
      await fixture().createRecord(hostname);
      await fixture().isLive(hostname);
      await fixture().answers(hostname, 200);
      expect(await fixture().serialNumber(hostname)).toBe(before);
    }
  },
  conformanceDeadlineMs,
);
