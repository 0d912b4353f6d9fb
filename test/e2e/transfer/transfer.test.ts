import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { AuthorityOrders } from '../../support/authority-orders.ts';
import { takenFor, watchAuthorityOrders } from '../../support/authority-orders.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';

/** A hostname changes hands by proof alone (docs/concepts/claims.md), and comes back by removal. */

let platform: SharedPlatform;
let stage: Stage;
let authority: AuthorityOrders;

const api = 'projectdomain.io/v1alpha1';
const hostname = 'www.transfer.example';

interface Claim {
  readonly spec: { readonly phase: string; readonly epoch: number; readonly holder: { readonly namespace: string } };
}

const claim = () => stage.kubectl.get<Claim>('hostnameclaim', hostname);

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  authority = watchAuthorityOrders(platform);
}, platformDeadlineMs);

afterAll(async () => {
  await authority.stop();
  await platform.close();
}, platformDeadlineMs);

interface SeenAccount {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

const accountReason = async (name: string) => {
  const account = await stage.kubectl.get<SeenAccount>('account', name);
  return account?.status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
};

describe('an account', () => {
  it(
    'without the RoleBinding in its namespace says so, and is ready once it is there',
    async () => {
      const named = (name: string) => ({ metadata: { name } });
      const labelled = { metadata: { name: 'bare', labels: { 'projectdomain.io/account': 'bare' } } };
      await stage.kubectl.apply(
        { apiVersion: 'v1', kind: 'Namespace', ...labelled },
        { apiVersion: api, kind: 'Account', ...named('bare'), spec: { plan: 'pro' } },
      );
      await eventually('the condition says RightsMissing', 30_000, async () => {
        expectThat((await accountReason('bare')) === 'RightsMissing', `reason ${await accountReason('bare')}`);
      });
      await stage.account('bare', 'pro');
      await eventually('the account is ready', 60_000, async () => {
        expectThat((await accountReason('bare')) === 'Ready', `reason ${await accountReason('bare')}`);
      });
    },
    platformDeadlineMs,
  );
});

describe('a hostname', () => {
  it(
    'stays with its holder until the contender proves it and the holder is gone, then moves with everything',
    async () => {
      await publishDomain(stage, 'holder', hostname);
      const first = await stage.domainWhere('holder', hostname, 'shows its record', (seen) =>
        recordOf(seen, 'CNAME') ? null : 'no record',
      );
      await stage.putZone('transfer.example', `www CNAME ${recordOf(first, 'CNAME')?.value}.`);
      await stage.domainWhere('holder', hostname, 'is Live', inState('Live'));

      await publishDomain(stage, 'contender', hostname);
      const second = await stage.domainWhere('contender', hostname, 'is asked for a TXT record', (seen) =>
        recordOf(seen, 'TXT') ? inState('Unverified', 'HeldElsewhere')(seen) : 'no TXT',
      );
      expect((await claim())?.spec.holder.namespace).toBe('holder');

      const txt = recordOf(second, 'TXT');
      await stage.putZone(
        'transfer.example',
        `www CNAME ${recordOf(second, 'CNAME')?.value}.\n_projectdomain-challenge.www TXT "${txt?.value}"`,
      );
      await stage.domainWhere('contender', hostname, 'is Live for the contender', inState('Live'));
      await stage.answers(hostname, 'contender-web');
      expect((await claim())?.spec).toMatchObject({ phase: 'Held', epoch: 2, holder: { namespace: 'contender' } });
      await stage.domainWhere(
        'holder',
        hostname,
        'is contested for the former holder',
        inState('Unverified', 'HeldElsewhere'),
      );
      const left = await stage.kubectl.run([
        'get',
        'ingress,certificate,secret',
        '-n',
        'holder',
        '-o',
        'jsonpath={range .items[*]}{.metadata.annotations.projectdomain\\.io/hostname}{.metadata.annotations.cert-manager\\.io/alt-names} {end}',
      ]);
      expect(left).not.toContain(hostname);
    },
    platformDeadlineMs,
  );

  it(
    'that is removed loses route and Certificate at once, keeps its Secret under a tombstone, and returns without a new order',
    async () => {
      const before = await takenFor(authority, hostname);
      expect(before).toBeGreaterThan(0);
      await stage.kubectl.run(['delete', 'projectdomain', hostname, '-n', 'contender']);
      await eventually('the claim is a tombstone', 30_000, async () => {
        const seen = await claim();
        expectThat(seen?.spec.phase === 'Tombstone', `phase ${seen?.spec.phase}`);
      });
      const routes = await stage.kubectl.run([
        'get',
        'ingress',
        '-n',
        'contender',
        '-o',
        'jsonpath={.items[*].spec.rules[0].host}',
      ]);
      expect(routes.split(' ')).not.toContain(hostname);

      const metadata = { name: hostname, namespace: 'contender' };
      await stage.kubectl.apply({
        apiVersion: api,
        kind: 'ProjectDomain',
        metadata,
        spec: { project: 'shop', hostname },
      });
      await stage.domainWhere('contender', hostname, 'is Live again', inState('Live'));
      await stage.answers(hostname, 'contender-web');
      expect(await takenFor(authority, hostname)).toBe(before);
    },
    platformDeadlineMs,
  );
});
