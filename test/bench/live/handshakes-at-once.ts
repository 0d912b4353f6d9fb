import { setTimeout as sleep } from 'node:timers/promises';
import { manyAtATime } from '../../../dev/campaigns/bulk.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Site } from './until-served.ts';

export interface ServedAtOnce {
  /** milliseconds from the beginning until a site answered, of those that did */
  readonly served: readonly number[];
  readonly tookMs: number;
}

/** As many connections as a busy proxy has; a visitor whose connection fails tries again after a moment. */
const atATime = 200;
const pauseMs = 500;

/** Visits every site from the same moment on, until each answers 200 or the time is up. */
export async function handshakesAtOnce(sites: readonly Site[], withinMs: number): Promise<ServedAtOnce> {
  const begunAt = performance.now();
  const served: number[] = [];
  let open = [...sites];
  while (open.length > 0 && performance.now() - begunAt < withinMs) {
    const left: Site[] = [];
    await manyAtATime(open.values(), atATime, async (site) => {
      const answer = await askHttps(site).catch(() => null);
      if (answer?.status === 200) served.push(performance.now() - begunAt);
      else left.push(site);
    });
    open = left;
    process.stderr.write(`Caddy serves ${served.length} of ${sites.length}\n`);
    if (open.length > 0) await sleep(pauseMs);
  }
  return { served, tookMs: performance.now() - begunAt };
}
