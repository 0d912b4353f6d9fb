import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assetPath } from '../../../src/dashboard/static-assets.ts';
import { askRaw } from '../../browser/raw.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { createStepCounter } from '../../support/every-call/steps.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/**
 * Fails when what an address shows to anybody, whose budget is used up or not, does something for each part of a header: 64 KiB of them
 * are let in.
 */

let dashboard: DashboardOnStores;
const steps = createStepCounter();
beforeAll(async () => (dashboard = await startDashboardOnStores(createInMemoryApi())));
afterAll(async () => {
  steps.stop();
  await dashboard.stop();
});

const length = 60_000;
/** Reading a header that is not read part by part takes none; express sets its own, and the first answers load what is used. */
const furtherSteps = 5_000;

const long = (part: string): string => part.repeat(length / part.length);

describe('as few steps as without it are taken', () => {
  it.each<[string, string, string]>([
    ['many cookies', '/dashboard/projects', 'cookie'],
    ['many types of answer', '/dashboard/', 'accept'],
    ['many types of answer', '/dashboard/projects', 'accept'],
    ['many encodings', assetPath('style.css'), 'accept-encoding'],
    ['many languages', '/dashboard/sign-in', 'accept-language'],
    ['many versions', '/dashboard/sign-in', 'if-none-match'],
    ['many rules for caches', '/dashboard/sign-in', 'cache-control'],
    ['many ranges', assetPath('style.css'), 'range'],
    ['many addresses', '/dashboard/sign-in', 'x-forwarded-for'],
  ])('with %s, by %s', async (_, path, header) => {
    const taken = (headers: Readonly<Record<string, string>>) =>
      steps.during(() => askRaw(dashboard.url + path, { headers }));
    await taken({});
    const without = await taken({});
    for (const part of [';', ',', 'a/b,', '"a",'])
      expect((await taken({ [header]: long(part) })) - without).toBeLessThan(furtherSteps);
  });

  it('and its answers are the same', async () => {
    for (const part of [';', ',', 'a/b,'])
      expect(await askRaw(`${dashboard.url}/dashboard/`, { headers: { accept: long(part) } })).toMatchObject({
        status: 303,
        headers: { location: '/dashboard/projects' },
      });
  });
});
