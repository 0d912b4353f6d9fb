import type { Platform } from '../platform/platform.ts';
import { watchProcessor } from './processor.ts';
import type { Metrics } from './scrape.ts';
import { scrape } from './scrape.ts';

export const scrapeOperator = ({ facts }: Platform): Promise<Metrics> =>
  scrape((facts.metricsUrls.operator ?? '').replace(/\/metrics$/, ''));

/** Begins to watch; the function that is returned says in sentences what the operator and the processors did since. */
export async function watchBusy(platform: Platform): Promise<() => Promise<readonly string[]>> {
  const used = watchProcessor({ ...pidsOf(platform), measuring: process.pid });
  const counted = await watchCounts(platform);
  return async () => {
    const { machine, byPart } = used();
    const others = machine - Object.values(byPart).reduce((sum, share) => sum + share, 0);
    const cores = Object.entries(byPart).map(([name, share]) => `${name} ${share.toFixed(2)}`);
    return [await counted(), `cores: ${cores.join(', ')}; all other processes of the machine ${others.toFixed(2)}`];
  };
}

function pidsOf(platform: Platform): Readonly<Record<string, number>> {
  const [operator, api, redirector] = (['operator', 'api-server', 'redirector'] as const).map((name) =>
    platform.ours(name),
  );
  const all = Object.entries({ operator, api, redirector, ...platform.controlPlane.parts, ...platform.parts });
  return Object.fromEntries(all.map(([name, part]) => [name, part?.pid ?? 0]));
}

const controller = 'controller="projectDomain"';

async function watchCounts(platform: Platform): Promise<() => Promise<string>> {
  const figures = async () => {
    const metrics = await scrapeOperator(platform);
    return {
      visits: metrics('projectdomain_reconcile_total', controller),
      checks: metrics('projectdomain_dns_check_seconds_count'),
      depth: metrics('projectdomain_queue_depth', controller),
      slow: metrics('projectdomain_queue_slow', controller),
      held: metrics('projectdomain_event_loop_delay_seconds', 'statistic="max"') * 1_000,
    };
  };
  const begunAt = performance.now();
  const before = await figures();
  return async () => {
    const now = await figures();
    const seconds = (performance.now() - begunAt) / 1_000;
    const rate = (count: number) => (count / seconds).toFixed(1);
    return [
      `${rate(now.visits - before.visits)} visits and ${rate(now.checks - before.checks)} looks at DNS a second`,
      `${before.depth} keys due and ${before.slow} slow ones before, ${now.depth} and ${now.slow} after`,
      `event loop held for ${Math.round(now.held)} ms at most`,
    ].join('; ');
  };
}
