import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Conformance } from '../support/conformance.ts';
import { conformanceDeadlineMs, openConformance } from '../support/conformance.ts';

/** Nothing is served under a hostname, and there is no certificate for it, before its owner was proven. */

let ground: Conformance;
beforeAll(async () => {
  ground = await openConformance(import.meta.filename);
}, conformanceDeadlineMs);
afterAll(() => ground.close(), conformanceDeadlineMs);

it('shows no certificate and no content', async () => {
  await ground.stage.domainWhere(ground.account, 'www', 'shows its record', ({ status }) =>
    status?.records?.length ? null : 'no records',
  );
  await expect(ground.ask('www.before-proof.example')).rejects.toThrow();
  const { status, body } = await ground.askHttp('www.before-proof.example');
  expect(status).toBe(404);
  expect(body).not.toContain('shop-web');
});
