import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { childrenOf, customer, domainIs } from '../../support/customers.ts';
import { fromNow } from '../../support/from-now.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * A phisher adds a bank's hostname and asks for verification again and again, by every way there is. Nothing is served,
 * routed or ordered for it before DNS has proven it.
 */

let platform: AttackPlatform;
let attacker: Customer;
const hostname = 'www.bank.example';

beforeAll(async () => {
  platform = await attackPlatform();
  attacker = await customer(platform.stage, 'phisher');
  await platform.stage.putZone('bank.example', 'www A 198.51.100.7');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

/** What the ingress answers to a Host that nothing proved, over plain HTTP. */
function visit(path: string): Promise<number> {
  const options = { host: platform.facts.ingressAddress, port: 80, path, headers: { host: hostname }, timeout: 5_000 };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe("a bank's hostname, added by a phisher", () => {
  it(
    'gets neither claim, Certificate nor route, however often it is verified',
    async () => {
      const { kubectl } = platform.stage;
      await attacker.add(hostname);
      await attacker.verify(hostname);
      const at = new Date(fromNow(-60_000)).toISOString();
      await kubectl.run([
        'annotate',
        'projectdomain',
        hostname,
        '-n',
        attacker.account,
        '--overwrite',
        `projectdomain.io/verify-requested-at=${at}`,
      ]);
      await attacker.verify(hostname);
      await domainIs(attacker, hostname, 'Unverified', 'StrayAddress');
      expect(await childrenOf(platform.stage, attacker.account)).not.toContain(hostname);
      expect(await kubectl.get('hostnameclaim', hostname)).toBeNull();
      expect(await visit('/')).toBe(404);
      expect(await visit('/.well-known/acme-challenge/anything')).toBe(404);
    },
    platformDeadlineMs,
  );
});
