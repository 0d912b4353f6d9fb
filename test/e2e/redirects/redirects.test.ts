import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { redirectTargets } from '../../support/redirect-urls.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { locations } from '../../support/visitor.ts';
import { visitInTurn } from '../../support/visits.ts';

/** Project configuration on real parts: redirects byte for byte, two hostnames that change places, and removal. */

let platform: SharedPlatform;
let stage: Stage;
let ca: Buffer;

const api = 'projectdomain.io/v1alpha1';
const account = 'redirects';
const www = 'www.redirects.example';
const apex = 'redirects.example';
const platformHostname = 'redirects-shop.apps.example.net';

const configure = (domains: object) =>
  stage.kubectl.apply({
    apiVersion: api,
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: 'redirects-web', port: 8080 }, subdomain: 'redirects-shop', domains },
  });

const leadsTo = (primary: string, other: string) => ({ primary, redirects: [{ from: other }] });

const ask = (hostname: string) => askHttps({ address: platform.facts.ingressAddress, ca, hostname });

/** The answers on the way of a browser that follows, four redirects at most. Of two hostnames that change places it may meet one before the change and one after. */
async function follow(hostname: string): Promise<string> {
  const statuses: number[] = [];
  for (let at = hostname; statuses.length < 5;) {
    const { status, headers } = await ask(at);
    statuses.push(status);
    if (status !== 301) break;
    at = new URL(String(headers.location)).hostname;
  }
  return statuses.join(' ');
}

const answersAs = (hostname: string, expected: number) =>
  eventually(`${hostname} answers ${expected}`, 30_000, async () => {
    const { status } = await ask(hostname);
    expectThat(status === expected, `status ${status}`);
  });

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  ca = readFileSync(platform.facts.acmeRoot);
  await stage.account(account, 'pro');
  const tenant = await stage.tenant(account, 'redirects-web');
  await tenant.becomeReady();
  await configure(leadsTo(www, apex));
  const shown = async (hostname: string) =>
    (
      await stage.domainWhere(account, hostname, 'shows its records', ({ status }) =>
        status?.records?.length ? null : 'no records',
      )
    ).status?.records ?? [];
  const [first] = await shown(www);
  const txt = (await shown(apex)).find(({ type }) => type === 'TXT');
  await stage.putZone(
    apex,
    `www CNAME ${first?.value}.\n@ A ${platform.facts.ingressAddress}\n${txt?.name} TXT "${txt?.value}"`,
  );
  for (const hostname of [www, apex]) await stage.domainWhere(account, hostname, 'is Live', inState('Live'));
  await answersAs(www, 200);
  await answersAs(apex, 301);
}, platformDeadlineMs);

afterAll(async () => {
  await platform.close();
}, platformDeadlineMs);

const locationsOf = (targets: readonly string[]) =>
  locations({ address: platform.facts.ingressAddress, ca, hostname: apex }, targets);

describe('a redirect through the ingress', () => {
  it('keeps path and query byte for byte', async () => {
    expect(await locationsOf(redirectTargets)).toEqual(redirectTargets.map((target) => `https://${www}${target}`));
  }, 60_000);

  it("leads to the project's platform hostname where it is to", async () => {
    const leads = (to: string) =>
      eventually(`${apex} leads to ${to}`, 30_000, async () => {
        const [location] = await locationsOf(['/a?b']);
        expectThat(location === `https://${to}/a?b`, `it leads to ${location}`);
      });
    await configure({ primary: www, redirects: [{ from: apex, to: platformHostname }] });
    await leads(platformHostname);
    await configure(leadsTo(www, apex));
    await leads(www);
  }, 90_000);

  it('goes on while the redirector is stopped and started again, but for refused connections', async () => {
    const visits = visitInTurn([apex], async () => {
      const { status } = await ask(apex);
      return status === 301 || status >= 500 ? null : `status ${status}`;
    });
    await visits.further(20);
    await platform.act('stop redirector');
    await platform.act('start redirector');
    await answersAs(apex, 301);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  }, 60_000);
});

describe('two Live hostnames that change places', () => {
  it('are never without an answer, and no visitor goes round in a circle', async () => {
    const visits = visitInTurn([www, apex], async (hostname) => {
      const way = await follow(hostname);
      return /^(301 )?(301 )?200$/.test(way) ? null : `${hostname}: ${way}`;
    });
    await configure(leadsTo(apex, www));
    await answersAs(apex, 200);
    await answersAs(www, 301);
    await configure(leadsTo(www, apex));
    await answersAs(www, 200);
    await answersAs(apex, 301);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
    for (const hostname of [www, apex]) await stage.domainWhere(account, hostname, 'is Live', inState('Live'));
  }, 120_000);

  it('an edit of what the project declares is taken back', async () => {
    await stage.kubectl.run([
      'patch',
      'projectdomain',
      apex,
      '-n',
      account,
      '--type=merge',
      '-p',
      '{"spec":{"redirect":{"status":302}}}',
    ]);
    await eventually('the status is 301 again', 30_000, async () => {
      const seen = await stage.kubectl.get<{ spec: { redirect: { status: number } } }>('projectdomain', apex, account);
      expectThat(seen?.spec.redirect.status === 301, `status ${seen?.spec.redirect.status}`);
    });
  }, 60_000);
});

interface SeenProject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  };
}

describe('an entry that a ProjectDomain of its own stands for', () => {
  it('is reported DeclaredElsewhere, and nothing is adopted', async () => {
    await stage.kubectl.apply({
      apiVersion: api,
      kind: 'ProjectDomain',
      metadata: { name: 'by-hand', namespace: account },
      spec: { project: 'shop', hostname: 'old.redirects.example', role: 'Redirect', redirect: { to: www } },
    });
    await configure({ primary: www, redirects: [{ from: apex }, { from: 'old.redirects.example' }] });
    await eventually('the project says so', 30_000, async () => {
      const seen = await stage.kubectl.get<SeenProject>('project', 'shop', account);
      const condition = seen?.status?.conditions?.find(({ type }) => type === 'DomainsDeclared');
      expectThat(condition?.reason === 'DeclaredElsewhere', `reason ${condition?.reason}`);
      expectThat(condition.message.includes(`${account}/by-hand`), condition.message);
    });
    const names = await stage.kubectl.run([
      'get',
      'projectdomains',
      '-n',
      account,
      '-o',
      'jsonpath={.items[*].metadata.name}',
    ]);
    expect(names.split(' ').toSorted()).toEqual(['by-hand', apex, www]);
    await configure(leadsTo(www, apex));
    await stage.kubectl.run(['delete', 'projectdomain', 'by-hand', '-n', account]);
  }, 60_000);
});

const refused = (hostname: string) =>
  eventually(`the ingress refuses ${hostname}`, 30_000, async () => {
    const answer = await ask(hostname).catch(() => null);
    expectThat(answer === null, `still answers ${answer?.status}`);
  });

const phaseOf = async (hostname: string) =>
  (await stage.kubectl.get<{ spec: { phase: string } }>('hostnameclaim', hostname))?.spec.phase;

describe('removal', () => {
  it('while the operator is down stops a redirect at once, and the rest follows when it is back', async () => {
    await platform.act('stop operator');
    await configure({ primary: www, redirects: [] });
    await stage.kubectl.run(['delete', 'projectdomain', apex, '-n', account]);
    await eventually('the redirector answers 404, or the route is gone', 30_000, async () => {
      const answer = await ask(apex).catch(() => null);
      expectThat(answer === null || answer.status === 404, `still answers ${answer?.status}`);
    });
    await platform.act('start operator');
    await refused(apex);
    await eventually('the claim is a tombstone', 30_000, async () => {
      expectThat((await phaseOf(apex)) === 'Tombstone', `phase ${await phaseOf(apex)}`);
    });
    expect((await ask(www)).status).toBe(200);
  }, 120_000);

  it('of the project takes its domains and its platform hostname along', async () => {
    await stage.kubectl.run(['delete', 'project', 'shop', '-n', account]);
    await refused(www);
    await refused(platformHostname);
    await eventually('both claims are tombstones', 30_000, async () => {
      const phases = [await phaseOf(www), await phaseOf(platformHostname)];
      expectThat(
        phases.every((phase) => phase === 'Tombstone'),
        `phases ${phases.join(', ')}`,
      );
    });
    const left = await stage.kubectl.run(['get', 'ingress,certificate,projectdomain', '-n', account, '-o', 'name']);
    expect(left.trim()).toBe('');
  }, 120_000);
});
