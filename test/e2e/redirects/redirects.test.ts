import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { redirectTargets } from '../../support/redirect-urls.ts';
import { locations } from '../../support/visitor.ts';

/** Project configuration on real parts: redirects byte for byte, two hostnames that change places, and removal. */

let platform: Platform;
let stage: Stage;
let ca: Buffer;

const api = 'projectdomain.io/v1alpha1';
const www = 'www.example.com';
const apex = 'example.com';

const configure = (domains: object) =>
  stage.kubectl.apply({
    apiVersion: api,
    kind: 'Project',
    metadata: { name: 'shop', namespace: 'acme' },
    spec: { service: { name: 'shop-web', port: 8080 }, domains },
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
  platform = await testPlatform(true);
  stage = testStage(platform, 60_000);
  ca = readFileSync(platform.facts.acmeRoot);
  await stage.account('acme', 'pro');
  const tenant = await stage.tenant('acme', 'shop-web');
  await tenant.becomeReady();
  await configure(leadsTo(www, apex));
  const shown = async (hostname: string) =>
    (
      await stage.domainWhere('acme', hostname, 'shows its records', ({ status }) =>
        status?.records?.length ? null : 'no records',
      )
    ).status?.records ?? [];
  const [first] = await shown(www);
  const txt = (await shown(apex)).find(({ type }) => type === 'TXT');
  await stage.putZone(
    apex,
    `www CNAME ${first?.value}.\n@ A ${platform.facts.ingressAddress}\n${txt?.name} TXT "${txt?.value}"`,
  );
  for (const hostname of [www, apex]) await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
  await answersAs(www, 200);
  await answersAs(apex, 301);
}, platformDeadlineMs);

afterAll(async () => {
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

const locationsOf = (targets: readonly string[]) =>
  locations({ address: platform.facts.ingressAddress, ca, hostname: apex }, targets);

describe('a redirect through the ingress', () => {
  it('keeps path and query byte for byte', async () => {
    expect(await locationsOf(redirectTargets)).toEqual(redirectTargets.map((target) => `https://${www}${target}`));
  }, 60_000);

  it("leads to the project's platform hostname where it is to", async () => {
    const platformHostname = 'shop.apps.example.net';
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
    let ended = false;
    const statuses: number[] = [];
    const visitor = async () => {
      while (!ended) {
        statuses.push((await ask(apex)).status);
        await systemClock.sleep(20);
      }
    };
    const visiting = visitor();
    await systemClock.sleep(500);
    await platform.ours('redirector')?.stop();
    await platform.restart('redirector');
    await answersAs(apex, 301);
    ended = true;
    await visiting;
    const others = [...new Set(statuses)].filter((status) => status !== 301 && status < 500);
    expect(others).toEqual([]);
    expect(statuses.length).toBeGreaterThan(20);
  }, 60_000);
});

/** The series of a metric of the operator, as `labels value`. */
async function seriesOf(metric: string): Promise<readonly string[]> {
  const text = await (await fetch(platform.facts.metricsUrls.operator ?? '')).text();
  return text.split('\n').flatMap((line) => (line.startsWith(`${metric}{`) ? [line.slice(metric.length)] : []));
}

/** Resolves once the operator has visited the domains and nothing is due or was visited for two seconds. */
async function untilAtRest(): Promise<void> {
  let before = '';
  await eventually('the operator is at rest', 120_000, async () => {
    await systemClock.sleep(2_000);
    const [visits, depths] = [
      await seriesOf('projectdomain_reconcile_total'),
      await seriesOf('projectdomain_queue_depth'),
    ];
    const [now, last] = [visits.join(), before];
    before = now;
    expectThat(now.includes('"projectDomain"'), 'no domain was visited');
    expectThat(now === last && depths.every((depth) => depth.endsWith(' 0')), 'it is at work');
  });
}

/** Kubernetes counts kinds of ours a while after they were defined; until then the operator writes to have them counted. */
async function untilQuotasAreCounted(): Promise<void> {
  const message = '{.status.conditions[?(@.type=="PlanFound")].message}';
  await eventually('every account says its caps', 300_000, async () => {
    const path = `jsonpath={range .items[*]}${message}{"\\n"}{end}`;
    const messages = (await stage.kubectl.run(['get', 'accounts', '-o', path])).trim().split('\n');
    expectThat(messages.length > 0 && messages.every((said) => said.includes('at most')), messages.join());
  });
}

describe('an operator that starts over what has not changed', () => {
  it('visits everything and writes nothing, except its lease and questions about its rights', async () => {
    await untilQuotasAreCounted();
    // The order ledger is brought up to date every five minutes and at each start, so the first start may write it.
    for (let start = 0; start < 2; start += 1) {
      await untilAtRest();
      await platform.ours('operator')?.stop();
      // Without its checkpoint the next leader visits everything at once.
      await stage.kubectl.run(['delete', 'lease', '-n', systemNamespace, 'projectdomain-operator']);
      await platform.restart('operator');
    }
    await untilAtRest();
    const requests = await seriesOf('projectdomain_kube_requests_total');
    expect(requests.length).toBeGreaterThan(5);
    const writes = requests.filter((series) => !/verb="(get|list|watch)"|accessreviews"/.test(series));
    expect(writes).toEqual([]);
  }, 600_000);
});

describe('two Live hostnames that change places', () => {
  it('are never without an answer, and no visitor goes round in a circle', async () => {
    let ended = false;
    const wrong: string[] = [];
    let asked = 0;
    const visitor = async () => {
      while (!ended) {
        const ways = await Promise.all([www, apex].map(follow));
        asked += 1;
        wrong.push(...ways.filter((way) => !/^(301 )?(301 )?200$/.test(way)));
        await systemClock.sleep(20);
      }
    };
    const visiting = visitor();
    await configure(leadsTo(apex, www));
    await answersAs(apex, 200);
    await answersAs(www, 301);
    await configure(leadsTo(www, apex));
    await answersAs(www, 200);
    await answersAs(apex, 301);
    ended = true;
    await visiting;
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(10);
    for (const hostname of [www, apex]) await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
  }, 120_000);

  it('an edit of what the project declares is taken back', async () => {
    await stage.kubectl.run([
      'patch',
      'projectdomain',
      apex,
      '-n',
      'acme',
      '--type=merge',
      '-p',
      '{"spec":{"redirect":{"status":302}}}',
    ]);
    await eventually('the status is 301 again', 30_000, async () => {
      const seen = await stage.kubectl.get<{ spec: { redirect: { status: number } } }>('projectdomain', apex, 'acme');
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
      metadata: { name: 'by-hand', namespace: 'acme' },
      spec: { project: 'shop', hostname: 'old.example.com', role: 'Redirect', redirect: { to: www } },
    });
    await configure({ primary: www, redirects: [{ from: apex }, { from: 'old.example.com' }] });
    await eventually('the project says so', 30_000, async () => {
      const seen = await stage.kubectl.get<SeenProject>('project', 'shop', 'acme');
      const condition = seen?.status?.conditions?.find(({ type }) => type === 'DomainsDeclared');
      expectThat(condition?.reason === 'DeclaredElsewhere', `reason ${condition?.reason}`);
      expectThat(condition.message.includes('acme/by-hand'), condition.message);
    });
    const names = await stage.kubectl.run([
      'get',
      'projectdomains',
      '-n',
      'acme',
      '-o',
      'jsonpath={.items[*].metadata.name}',
    ]);
    expect(names.split(' ').toSorted()).toEqual(['by-hand', apex, www]);
    await configure(leadsTo(www, apex));
    await stage.kubectl.run(['delete', 'projectdomain', 'by-hand', '-n', 'acme']);
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
    await platform.ours('operator')?.stop();
    await configure({ primary: www, redirects: [] });
    await stage.kubectl.run(['delete', 'projectdomain', apex, '-n', 'acme']);
    await eventually('the redirector answers 404, or the route is gone', 30_000, async () => {
      const answer = await ask(apex).catch(() => null);
      expectThat(answer === null || answer.status === 404, `still answers ${answer?.status}`);
    });
    await platform.restart('operator');
    await refused(apex);
    await eventually('the claim is a tombstone', 30_000, async () => {
      expectThat((await phaseOf(apex)) === 'Tombstone', `phase ${await phaseOf(apex)}`);
    });
    expect((await ask(www)).status).toBe(200);
  }, 120_000);

  it('of the project takes its domains and its platform hostname along', async () => {
    await stage.kubectl.run(['delete', 'project', 'shop', '-n', 'acme']);
    await refused(www);
    await refused('shop.apps.example.net');
    await eventually('both claims are tombstones', 30_000, async () => {
      const phases = [await phaseOf(www), await phaseOf('shop.apps.example.net')];
      expectThat(
        phases.every((phase) => phase === 'Tombstone'),
        `phases ${phases.join(', ')}`,
      );
    });
    const left = await stage.kubectl.run(['get', 'ingress,certificate,projectdomain', '-n', 'acme', '-o', 'name']);
    expect(left.trim()).toBe('');
  }, 120_000);
});
