import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { childrenOf, claimOf, customer, domainIs } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * A hostname leads to the platform, and somebody to whom it does not lead adds it: by another's target, a guessed one, the
 * bare CNAME domain, a platform hostname. Only the exact target of the project that asks proves anything.
 */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'target-victim');
  attacker = await customer(platform.stage, 'target-attacker');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

const { a, z } = { a: 'a'.repeat(26), z: 'z'.repeat(26) };

describe('a hostname that leads', () => {
  it.each<[how: string, name: string, value: () => string, reason: string]>([
    ["to another account's target", 'theirs', () => victim.target, 'OtherProjectTarget'],
    ['to a target that nobody has', 'guessed', () => `p-${a}.cname.apps.example.net`, 'OtherProjectTarget'],
    ['to another one that nobody has', 'guessed-again', () => `p-${z}.cname.apps.example.net`, 'OtherProjectTarget'],
    ['to the bare CNAME domain', 'bare', () => 'cname.apps.example.net', 'BareCnameDomain'],
    [
      "to the attacker's own platform hostname",
      'shop',
      () => `${attacker.account}-shop.apps.example.net`,
      'WrongTarget',
    ],
    ["to the target below the attacker's own", 'below', () => `x.${attacker.target}`, 'MistypedTarget'],
  ])(
    '%s is not claimed, routed or certified',
    async (_, name, value, reason) => {
      const hostname = `www.${name}.example`;
      await platform.stage.putZone(`${name}.example`, `www CNAME ${value()}.`);
      await attacker.add(hostname, { role: 'primary' });
      await attacker.verify(hostname);
      await domainIs(attacker, hostname, 'Unverified', reason);
      expect(await claimOf(platform.stage, hostname)).toBeNull();
      expect(await childrenOf(platform.stage, attacker.account)).not.toContain(hostname);
      await attacker.remove(hostname);
    },
    platformDeadlineMs,
  );
});
