import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Conformance } from '../support/conformance.ts';
import { conformanceDeadlineMs, openConformance } from '../support/conformance.ts';
import { redirectTargets } from '../support/redirect-urls.ts';

/** A redirect keeps path and query byte for byte, whatever the edge makes of paths. */

let ground: Conformance;
beforeAll(async () => {
  ground = await openConformance(import.meta.filename);
  await ground.goLive();
}, conformanceDeadlineMs);
afterAll(() => ground.close(), conformanceDeadlineMs);

it('leads to the same path and query', async () => {
  const targets = redirectTargets.filter((target) => !ground.edge.exceptions.targets.has(target));
  const found = await ground.locations('old.redirect.example', targets);
  expect(found).toEqual(targets.map((target) => `https://www.redirect.example${target}`));
});
