import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../dev/lib/eventually.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { childrenOf, claimOf, customer, domainIs } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * A customer leaves and forgets its CNAME; somebody else adds the hostname. The record leads to a target that is drawn
 * from the account that left, so it proves nothing for anybody else, and the tombstone keeps the name besides.
 */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;
const hostname = 'www.dangling.example';

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'dangling-victim');
  attacker = await customer(platform.stage, 'dangling-attacker');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

describe('a hostname whose customer left and whose CNAME stayed', () => {
  it(
    'is held for the one who left, and is nothing to the one who finds it',
    async () => {
      await platform.stage.putZone('dangling.example', `www CNAME ${victim.target}.`);
      await victim.add(hostname);
      await domainIs(victim, hostname, 'Live');
      expect((await victim.remove(hostname)).status).toBeLessThan(300);

      await attacker.add(hostname);
      await attacker.verify(hostname);
      await domainIs(attacker, hostname, 'Unverified', 'HeldElsewhere');
      const claim = await eventually('what is left of it is a tombstone', 60_000, async () => {
        const left = await claimOf(platform.stage, hostname);
        expect(left?.spec.phase).toBe('Tombstone');
        return left;
      });
      expect(claim?.spec.holder.namespace).toBe(victim.account);
      expect(await childrenOf(platform.stage, attacker.account)).not.toContain(hostname);
    },
    platformDeadlineMs,
  );
});
