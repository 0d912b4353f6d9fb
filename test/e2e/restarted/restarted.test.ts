import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';

/** An operator that is started anew. On a platform of its own, as whatever anybody else does there is written too. */

let platform: Platform;
let stage: Stage;

const hostname = 'www.example.com';

beforeAll(async () => {
  platform = await testPlatform(true);
  stage = testStage(platform, 60_000);
  await publishDomain(stage, 'acme', hostname);
  const shown = await stage.domainWhere('acme', hostname, 'shows its record', (seen) =>
    recordOf(seen, 'CNAME') ? null : 'no record',
  );
  await stage.putZone('example.com', `www CNAME ${recordOf(shown, 'CNAME')?.value}.`);
  await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
  const redirect = { metadata: { name: 'old', namespace: 'acme' } };
  await stage.kubectl.apply({
    ...{ apiVersion: 'projectdomain.io/v1alpha1', kind: 'ProjectDomain', ...redirect },
    spec: { project: 'shop', hostname: 'old.example.com', role: 'Redirect', redirect: { to: hostname } },
  });
  await stage.domainWhere('acme', 'old', 'is looked at', inState('Unverified'));
}, platformDeadlineMs);

afterAll(async () => {
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

/** The series of a metric of the operator, as `labels value`. */
async function seriesOf(metric: string): Promise<readonly string[]> {
  const text = await (await fetch(platform.facts.metricsUrls.operator ?? '')).text();
  return text.split('\n').flatMap((line) => (line.startsWith(`${metric}{`) ? [line.slice(metric.length)] : []));
}

interface Lease {
  readonly spec: { readonly renewTime?: string };
}

/** When the operator renewed its lease last: it does so every two seconds, whatever else it does. */
const renewed = async () =>
  (await stage.kubectl.get<Lease>('lease', 'projectdomain-operator', systemNamespace))?.spec.renewTime;

/** Resolves once the operator has visited the domains, and nothing is due or was visited between two renewals of its lease. */
async function untilAtRest(): Promise<void> {
  let before = '';
  let last = await renewed();
  await eventually('the operator is at rest', 120_000, async () => {
    await eventually('the lease is renewed', 30_000, async () => {
      const next = await renewed();
      expectThat(next !== last, `renewed at ${last}`);
      last = next;
    });
    const [visits, depths] = [
      await seriesOf('projectdomain_reconcile_total'),
      await seriesOf('projectdomain_queue_depth'),
    ];
    const [now, then] = [visits.join(), before];
    before = now;
    expectThat(now.includes('"projectDomain"'), 'no domain was visited');
    expectThat(now === then && depths.every((depth) => depth.endsWith(' 0')), 'it is at work');
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
      await platform.restart('operator');
    }
    await untilAtRest();
    const requests = await seriesOf('projectdomain_kube_requests_total');
    expect(requests.length).toBeGreaterThan(5);
    const writes = requests.filter((series) => !/verb="(get|list|watch)"|accessreviews"/.test(series));
    expect(writes).toEqual([]);
  }, 600_000);
});
