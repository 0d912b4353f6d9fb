import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer, domainIs } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** A competitor adds a hostname to learn whose customer it is: it is told that somebody holds it, never who. */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;
const hostname = 'www.discreet.example';

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'discreet-victim');
  attacker = await customer(platform.stage, 'discreet-attacker');
  await platform.stage.putZone('discreet.example', `www CNAME ${victim.target}.`);
  await victim.add(hostname);
  await domainIs(victim, hostname, 'Live');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

describe('a hostname that another account holds', () => {
  it(
    'names its holder nowhere: not in REST, not in the object, not in its events',
    async () => {
      const answers = [await attacker.add(hostname), await attacker.verify(hostname)];
      answers.push(await domainIs(attacker, hostname, 'Unverified', 'HeldElsewhere'));
      const { kubectl } = platform.stage;
      const account = await kubectl.get<{ spec: { id: string } }>('account', victim.account);
      const seen = [
        JSON.stringify(answers.map(({ body }) => body)),
        await kubectl.run(['get', 'projectdomains', '-n', attacker.account, '-o', 'json']),
        await kubectl.run(['get', 'events', '-n', attacker.account, '-o', 'json']),
      ].join('\n');
      expect(seen).toContain('HeldElsewhere');
      expect(seen).not.toContain(victim.account);
      expect(seen).not.toContain(account?.spec.id);
      // The target stands in public DNS, where anybody may read it; it says nothing of whose it is.
      expect(victim.target).not.toContain(victim.account);
    },
    platformDeadlineMs,
  );
});
