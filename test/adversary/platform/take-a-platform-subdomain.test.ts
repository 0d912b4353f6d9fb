import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { claimOf, customer } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** A tenant wants another project's platform hostname, or one that looks like the platform's own. */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'subdomain-victim');
  attacker = await customer(platform.stage, 'subdomain-attacker');
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

interface SeenProject {
  readonly status?: {
    readonly platformHostname?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
  };
}

/** Why the project with this subdomain is not accepted. */
async function reasonFor(name: string, subdomain: string): Promise<string | undefined> {
  const { kubectl } = platform.stage;
  await kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name, namespace: attacker.account },
    spec: { service: { name: `${attacker.account}-web`, port: 8080 }, subdomain },
  });
  return eventually(`${name} is judged`, 60_000, async () => {
    const seen = await kubectl.get<SeenProject>('project', name, attacker.account);
    const condition = seen?.status?.conditions?.find(({ type }) => type === 'Accepted');
    expectThat(condition !== undefined, 'no condition yet');
    return condition.reason;
  });
}

describe('a subdomain', () => {
  it.each<[string, string, () => string, string]>([
    ["that another account's project has", 'copycat', () => `${victim.account}-shop`, 'SubdomainTaken'],
    ['of the CNAME domain', 'cname', () => 'cname', 'SubdomainReserved'],
    ['that reads like the API', 'api', () => 'api', 'SubdomainReserved'],
    ['that reads like the sign-in', 'login', () => 'login', 'SubdomainReserved'],
  ])(
    '%s is refused',
    async (_, name, subdomain, reason) => {
      expect(await reasonFor(name, subdomain())).toBe(reason);
      const claim = await claimOf(platform.stage, `${subdomain()}.apps.example.net`);
      expect(claim?.spec.holder.namespace).not.toBe(attacker.account);
    },
    platformDeadlineMs,
  );

  it(
    'is another one for a project that is only called as its victim’s, and nobody else asks for that by name',
    async () => {
      const { kubectl } = platform.stage;
      const name = `${victim.account}-shop`;
      await kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'Project',
        metadata: { name, namespace: attacker.account },
        spec: { service: { name: `${attacker.account}-web`, port: 8080 } },
      });
      const address = await eventually(`${name} has an address`, 60_000, async () => {
        const seen = await kubectl.get<SeenProject>('project', name, attacker.account);
        expectThat(seen?.status?.platformHostname !== undefined, 'no address yet');
        return seen.status.platformHostname;
      });
      expect(address).toMatch(new RegExp(`^${name}-[a-z2-7]{10}[.]apps[.]example[.]net$`));
      const claim = await claimOf(platform.stage, address);
      expect(claim?.spec.holder).toEqual({ namespace: attacker.account, name });
      await kubectl.run(['delete', 'project', name, '-n', attacker.account]);
      expect(await reasonFor('thief', address.split('.', 1)[0] ?? '')).toBe('SubdomainReserved');
    },
    platformDeadlineMs,
  );
});
