import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Conformance } from '../support/conformance.ts';
import { conformanceDeadlineMs, openConformance } from '../support/conformance.ts';

/** A hostname of 213 characters, three labels of which have 63, is served like any other. */

let ground: Conformance;
beforeAll(async () => {
  ground = await openConformance(import.meta.filename);
  await ground.goLive();
}, conformanceDeadlineMs);
afterAll(() => ground.close(), conformanceDeadlineMs);

it('answers', async () => {
  const [hostname = ''] = ground.hostnames;
  const { status, body } = await ground.ask(hostname);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: hostname })]);
});
