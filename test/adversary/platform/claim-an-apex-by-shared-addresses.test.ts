import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { childrenOf, claimOf, customer, domainIs, recordOf } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * An apex holds the platform's address, as it should. The address is everybody's, so whoever adds the name first could
 * take it: it proves routing and no ownership, and the TXT record of the owner decides.
 */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;
const hostname = 'shared-apex.example';

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'apex-victim');
  attacker = await customer(platform.stage, 'apex-attacker');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

describe('an apex with the address of the platform', () => {
  it(
    'goes to the account whose TXT stands there, whoever asked first',
    async () => {
      const address = `@ A ${platform.facts.ingressAddress}`;
      await platform.stage.putZone(hostname, address);
      await attacker.add(hostname);
      await attacker.verify(hostname);
      await domainIs(attacker, hostname, 'Unverified', 'TxtMissing');
      expect(await claimOf(platform.stage, hostname)).toBeNull();

      const txt = recordOf(await victim.add(hostname), 'TXT');
      await platform.stage.putZone(hostname, `${address}\n_projectdomain-challenge TXT "${txt.value}"`);
      await domainIs(victim, hostname, 'Live');
      await attacker.verify(hostname);
      const { body } = await attacker.domain(hostname);
      expect(body.state).toBe('unverified');
      expect((await claimOf(platform.stage, hostname))?.spec.holder.namespace).toBe(victim.account);
      expect(await childrenOf(platform.stage, attacker.account)).not.toContain(hostname);
    },
    platformDeadlineMs,
  );
});
