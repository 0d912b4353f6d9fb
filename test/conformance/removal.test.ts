import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { Conformance } from '../support/conformance.ts';
import { conformanceDeadlineMs, openConformance } from '../support/conformance.ts';

/** A hostname that is removed is served no more, and its neighbours are. */

let ground: Conformance;
beforeAll(async () => {
  ground = await openConformance(import.meta.filename);
  await ground.goLive();
}, conformanceDeadlineMs);
afterAll(() => ground.close(), conformanceDeadlineMs);

it('ends with the domain, beside another that goes on', async () => {
  const visits = ground.visit(['other.removal.example'], ({ status }) => status === 200);
  await ground.stage.kubectl.run(['delete', 'projectdomain', 'www', '-n', ground.account]);
  await eventually('nothing is served', 30_000, async () => {
    const answer = await ground.ask('www.removal.example').catch(() => null);
    expectThat(answer === null || answer.status === 404, `status ${answer?.status}`);
  });
  await sleep(500);
  const { failed, asked } = await visits.end();
  expect(failed).toEqual([]);
  expect(asked).toBeGreaterThan(5);
});
