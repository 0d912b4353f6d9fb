import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, useConformance } from '../support/conformance.ts';

/** A hostname that is removed and added again is served as before, with the certificate that it had. Fails where an edge remembers that it was gone. */

const ground = useConformance(import.meta.filename);

it(
  'comes back, for another project too',
  async () => {
    const { stage, account } = ground();
    const hostname = 'www.removed-and-added.example';
    const before = await ground().serialNumber(hostname);
    await ground().remove('projectdomain', 'other');
    for (const project of ['shop', 'other']) {
      await ground().remove('projectdomain', 'www');
      await ground().isGone(hostname);
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: 'www', namespace: account },
        spec: { project, hostname },
      });
      // Each project has a target of its own.
      await ground().createRecord(hostname);
      await ground().isLive(hostname);
      await ground().answers(hostname, 200);
      expect(await ground().serialNumber(hostname)).toBe(before);
    }
  },
  conformanceDeadlineMs,
);
