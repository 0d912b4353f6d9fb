import { describe, expect, it } from '@jest/globals';
import type { Platform } from '../../../dev/platform/platform.ts';
import { endedOrders } from '../../support/ended-orders.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import {
  closeStoryEnvironmentsAfterEach,
  openStoryEnvironment,
  playOn,
  stepsOf,
  withoutQuota,
} from '../../support/story-environment.ts';

/** The same story where the operator orders itself: from an applied ProjectDomain to trusted HTTPS. */

const patienceMs = 60_000;

closeStoryEnvironmentsAfterEach();

const named = async ({ kubectl }: Platform, kinds: string): Promise<readonly string[]> =>
  (await kubectl.run(['get', kinds, '-A', '-o', 'name'])).split('\n').filter((line) => line !== '');

describe('with an AcmeIssuer', () => {
  it(
    'the story plays as with cert-manager as the orderer; orders leave nothing behind, and each has its outcome',
    async () => {
      const { platform, stage } = await openStoryEnvironment(patienceMs, { issuer: 'AcmeIssuer' });
      const played = await playOn(stage, stepsOf(withoutQuota));
      expect(played.failed ?? null).toBeNull();
      expect(played.ok).toBe(true);

      expect(await named(platform, 'orders.acme.cert-manager.io,challenges.acme.cert-manager.io')).toEqual([]);
      const orders = await endedOrders(stage);
      expect(orders.length).toBeGreaterThan(0);
      expect(orders.map(({ outcome, acme }) => [outcome, acme?.placed])).toEqual(orders.map(() => ['Issued', 1]));
    },
    platformDeadlineMs,
  );
});
