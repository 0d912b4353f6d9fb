import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { claimOf, customer, domainIs, recordOf } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * A former holder knows the TXT value that once proved the name and gets it into the zone again, beside the new holder's
 * records. Values are drawn from the claim's epoch, so the old one is worth nothing.
 */

let platform: AttackPlatform;
let former: Customer;
let owner: Customer;
const hostname = 'replayed.example';

beforeAll(async () => {
  platform = await attackPlatform();
  former = await customer(platform.stage, 'replay-former');
  owner = await customer(platform.stage, 'replay-owner');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

/** The platform's address, which anybody may share, and one ownership record. */
const zoneWith = (value: string) =>
  platform.stage.putZone(hostname, `@ A ${platform.facts.ingressAddress}\n_projectdomain-challenge TXT "${value}"`);

describe('the ownership record of a former holder', () => {
  it(
    'proves nothing once the name has moved, though it stands in the zone again and alone',
    async () => {
      const first = recordOf(await former.add(hostname), 'TXT').value;
      await zoneWith(first);
      await domainIs(former, hostname, 'Live');

      await owner.add(hostname);
      const second = recordOf(await domainIs(owner, hostname, 'Unverified', 'HeldElsewhere'), 'TXT').value;
      await zoneWith(second);
      await domainIs(owner, hostname, 'Live');

      await zoneWith(first);
      await former.verify(hostname);
      await former.verify(hostname);
      const left = await domainIs(former, hostname, 'Unverified', 'HeldElsewhere');
      expect([first, second]).not.toContain(recordOf(left, 'TXT').value);
      expect((await claimOf(platform.stage, hostname))?.spec).toMatchObject({
        phase: 'Held',
        epoch: 2,
        holder: { namespace: owner.account },
      });
    },
    platformDeadlineMs,
  );
});
