import type { Metrics } from '../../dev/campaigns/scrape.ts';
import { scrape } from '../../dev/campaigns/scrape.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { OurPart } from '../../dev/platform/ours.ts';

const withinMs = 600_000;
/** Looks at DNS come due all the time. */
const waitingAtMost = 20;

/** How long a process took until it was ready, in milliseconds. */
export async function untilReady({ metricsUrl, part }: OurPart): Promise<number> {
  const begunAt = performance.now();
  await eventually(`${part.name} is ready`, withinMs, async () => {
    if (part.exitStatus() !== null) throw new Error(`it ended with ${part.exitStatus()}; see its log`);
    const { ok } = await fetch(`${metricsUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    expectThat(ok, 'not yet');
  });
  return performance.now() - begunAt;
}

const visited = {
  account: 'accounts',
  project: 'projects',
  projectDomain: 'domains',
  hostnameClaim: 'claims',
} as const;

/** Resolves once a new leader has visited everything that its caches hold, which have to be full: nothing is soon visited. */
export async function untilAllVisited(operator: OurPart): Promise<void> {
  const { metricsUrl, part } = operator;
  await untilReady(operator);
  await eventually('everything is visited', withinMs, async () => {
    if (part.exitStatus() !== null) throw new Error(`the operator ended with ${part.exitStatus()}; see its log`);
    const metrics = await scrape(metricsUrl);
    for (const [controller, cache] of Object.entries(visited)) {
      const visits = metrics('projectdomain_reconcile_total', `controller="${controller}"`);
      const objects = metrics('projectdomain_cache_objects', `kind="${cache}"`);
      expectThat(visits >= objects, `${visits} visits of ${objects} by ${controller}`);
    }
    expectFewWait(metrics);
  });
}

/** Resolves once what has to be visited at once was. */
export const untilFewWait = ({ metricsUrl, part }: OurPart): Promise<void> =>
  eventually('few keys wait', withinMs, async () => {
    if (part.exitStatus() !== null) throw new Error(`the operator ended with ${part.exitStatus()}; see its log`);
    expectFewWait(await scrape(metricsUrl));
  });

function expectFewWait(metrics: Metrics): void {
  const waiting = metrics('projectdomain_queue_depth{');
  expectThat(waiting <= waitingAtMost, `${waiting} keys wait`);
}

type Visits = Readonly<Record<keyof typeof visited, number>>;

/** How often objects of each kind were reconciled so far. */
export async function visitsOf({ metricsUrl }: OurPart): Promise<Visits> {
  const metrics = await scrape(metricsUrl);
  const of = (name: string) => metrics('projectdomain_reconcile_total', `controller="${name}"`);
  return Object.fromEntries(Object.keys(visited).map((name) => [name, of(name)])) as Visits;
}

/** DNS checks of the operator so far, and the packets that they took. */
export async function checksOf({ metricsUrl }: OurPart): Promise<{ checks: number; packets: number; live: number }> {
  const metrics = await scrape(metricsUrl);
  return {
    checks: metrics('projectdomain_dns_check_seconds_count'),
    packets: metrics('projectdomain_dns_packets_total'),
    live: metrics('projectdomain_add_to_live_seconds_count'),
  };
}
