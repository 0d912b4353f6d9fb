import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrapeOperator } from '../../../dev/campaigns/busy.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { SeenDomain, Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/** Checks that find nothing new, on real parts: a kube-apiserver gives back what it was given in a form of its own. */

type Versioned = SeenDomain & { readonly metadata: { readonly resourceVersion: string } };

const hostname = 'www.example.com';

let platform: Platform;
let stage: Stage;
let rest: Rest;

beforeAll(async () => {
  platform = await testPlatform(true);
  stage = testStage(platform, 60_000);
  await stage.account('quiet', 'business');
  rest = await stage.rest('quiet');
  const tenant = await stage.tenant('quiet', 'web');
  await tenant.becomeReady();
  const project = { name: 'shop', service: { name: 'web', port: 8080 } };
  await eventually('the project is made', 60_000, async () => {
    const { status } = await rest('/v1/projects', { method: 'POST', body: project });
    expectThat(status === 201 || status === 409, `status ${status}`);
  });
  await eventually('the project is deployed', 60_000, async () => {
    const { body } = await rest('/v1/projects/shop');
    expectThat(typeof body.deployedAt === 'string', 'not yet');
  });
}, platformDeadlineMs);

afterAll(async () => {
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

const checks = async (): Promise<number> => (await scrapeOperator(platform))('projectdomain_dns_check_seconds_count');

const settled = async (): Promise<Versioned> =>
  (await stage.domainWhere('quiet', hostname, 'is checked', inState('Unverified', 'NotRegistered'))) as Versioned;

describe('an Unverified domain', () => {
  it('is checked again and again while its object stays as it is', async () => {
    const added = await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname } });
    expect(added.status).toBe(201);
    // A busy machine may have found out something more after the first checks.
    await eventually('three checks in a row write nothing', 90_000, async () => {
      const { metadata } = await settled();
      const before = await checks();
      await eventually('three more checks', 60_000, async () => {
        const now = await checks();
        expectThat(now >= before + 3, `${now - before} checks`);
      });
      expect((await settled()).metadata.resourceVersion).toBe(metadata.resourceVersion);
    });
  }, 180_000);
});
