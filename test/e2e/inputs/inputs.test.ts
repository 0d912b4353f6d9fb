import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';

/** Input that only the whole picture shows to be wrong: a condition says what to do, and nothing else changes. */

let platform: SharedPlatform;
let stage: Stage;

const api = 'projectdomain.io/v1alpha1';
const account = 'inputs';
const domain = (name: string, hostname: string, spec: object = {}) => ({
  apiVersion: api,
  kind: 'ProjectDomain',
  metadata: { name, namespace: account },
  spec: { project: 'shop', hostname, ...spec },
});

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  await stage.account(account, 'pro');
  const tenant = await stage.tenant(account, 'inputs-web');
  await tenant.becomeReady();
  await stage.kubectl.apply({
    apiVersion: api,
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: 'inputs-web', port: 8080 }, subdomain: 'inputs-shop' },
  });
  await stage.kubectl.apply(domain('first', 'www.inputs-com.example'));
  await stage.domainWhere(account, 'first', 'is looked at', inState('Unverified'));
}, platformDeadlineMs);

afterAll(async () => {
  await platform.close();
}, platformDeadlineMs);

describe('wrong in the whole picture', () => {
  it.each<[string, ReturnType<typeof domain>, string]>([
    [
      'a public suffix',
      domain('suffix', 'co.uk', { role: 'Redirect', redirect: { to: 'www.inputs-com.example' } }),
      'PublicSuffix',
    ],
    [
      "a name under the platform's domain",
      domain('ours', 'x.apps.example.net', { role: 'Redirect', redirect: { to: 'www.inputs-com.example' } }),
      'PlatformHostname',
    ],
    ['a second Primary', domain('second', 'shop.inputs-com.example'), 'PrimaryExists'],
    ['a missing project', domain('orphan', 'www.inputs-org.example', { project: 'nothing' }), 'ProjectNotFound'],
    [
      'the same hostname again',
      domain('again', 'www.inputs-com.example', { role: 'Redirect', redirect: { to: 'inputs-shop.apps.example.net' } }),
      'HostnameInUse',
    ],
    [
      'a redirect to itself',
      domain('self', 'self.inputs-com.example', { role: 'Redirect', redirect: { to: 'self.inputs-com.example' } }),
      'RedirectToSelf',
    ],
    [
      'a redirect to a foreign host',
      domain('foreign', 'foreign.inputs-com.example', { role: 'Redirect', redirect: { to: 'www.elsewhere.example' } }),
      'RedirectToForeign',
    ],
  ])('%s is Pending with a reason', async (_, draft, reason) => {
    const before = await stage.domain(account, 'first');
    await stage.kubectl.apply(draft);
    const { name } = draft.metadata;
    const seen = await stage.domainWhere(account, name, `is Pending, ${reason}`, inState('Pending', reason));
    const message = seen.status?.conditions?.find(({ type }) => type === 'Ready') as { message?: string } | undefined;
    expect(message?.message?.length).toBeGreaterThan(10);
    const after = await stage.domain(account, 'first');
    expect([after.metadata.uid, after.status?.state]).toEqual([before.metadata.uid, before.status?.state]);
    const children = await stage.kubectl.run([
      'get',
      'certificates,ingresses',
      '-n',
      account,
      '-o',
      'jsonpath={.items[*].metadata.ownerReferences[0].name}',
    ]);
    expect(children.split(/\s+/)).not.toContain(name);
  });

  it('a Verify time that cannot be read is ignored with a Warning event', async () => {
    await stage.kubectl.run([
      'annotate',
      '--overwrite',
      'projectdomain',
      'first',
      '-n',
      account,
      'projectdomain.io/verify-requested-at=tomorrow',
    ]);
    await stage.domainWhere(account, 'first', 'stays as it was', inState('Unverified'));
    await eventually('a Warning event', 30_000, async () => {
      const events = await stage.kubectl.run(['get', 'events', '-n', account, '-o', 'jsonpath={.items[*].reason}']);
      expectThat(events.includes('VerifyIgnored'), events);
    });
  });
});

describe('the defaults', () => {
  it("the four plans are there, and an administrator's change to one is never overwritten", async () => {
    const plans = await stage.kubectl.run(['get', 'plans', '-o', 'jsonpath={.items[*].metadata.name}']);
    expect(plans.split(' ').toSorted()).toEqual(['business', 'enterprise', 'free', 'pro']);
    await stage.kubectl.run([
      'patch',
      'plan',
      'pro',
      '--type=merge',
      '-p',
      '{"spec":{"customDomains":{"maxPerProject":7}}}',
    ]);
    await stage.kubectl.run(['delete', 'plan', 'enterprise']);
    await eventually('the deleted plan is back', 30_000, async () => {
      expectThat((await stage.kubectl.get('plan', 'enterprise')) !== null, 'not yet');
    });
    expect(await stage.kubectl.get('plan', 'pro')).toMatchObject({ spec: { customDomains: { maxPerProject: 7 } } });
  });
});
