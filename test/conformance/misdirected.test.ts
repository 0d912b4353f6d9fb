import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Conformance } from '../support/conformance.ts';
import { conformanceDeadlineMs, openConformance } from '../support/conformance.ts';

/** A connection that was opened for one hostname does not answer for another: a certificate says nothing of that. */

let ground: Conformance;
beforeAll(async () => {
  ground = await openConformance(import.meta.filename);
  await ground.goLive();
}, conformanceDeadlineMs);
afterAll(() => ground.close(), conformanceDeadlineMs);

it('answers 404 or 421 to the other hostname', async () => {
  const { status } = await ground.ask('one.misdirected.example', '/', { host: 'two.misdirected.example' });
  expect(ground.edge.exceptions.misdirected ?? [404, 421]).toContain(status);
});
