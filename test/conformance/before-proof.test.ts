import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** Nothing is served under a hostname, and there is no certificate for it, before its owner was proven. */

const fixture = useConformance(import.meta.filename, { isLive: false });

it('shows no certificate and no content', async () => {
  await fixture().stage.domainWhere(fixture().account, 'www', 'shows its record', ({ status }) =>
    status?.records?.length ? null : 'no records',
  );
  await expect(fixture().ask('www.before-proof.example')).rejects.toThrow();
  const { status, body } = await fixture().askHttp('www.before-proof.example');
  expect(status).toBe(404);
  expect(body).not.toContain('shop-web');
});
