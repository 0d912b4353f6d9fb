import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** Nothing is served under a hostname, and there is no certificate for it, before its owner was proven. */

const fixture = useConformance(import.meta.filename, { isLive: false });

it('shows no certificate and no content', async () => {
  await fixture().stage.domainWhere(fixture().account, 'www', 'shows its record', ({ status }) =>
    status?.records?.length ? null : 'no records',
  );
  await expect(fixture().ask(inZone('www.before-proof'))).rejects.toThrow();
  const { status, body } = await fixture().askHttp(inZone('www.before-proof'));
  expect(status).toBe(404);
  expect(body).not.toContain('shop-web');
});
