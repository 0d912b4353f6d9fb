import { setTimeout as sleep } from 'node:timers/promises';
import { askHttps } from '../../../dev/lib/https.ts';

export interface Site {
  /** where it is served */
  readonly address: string;
  /** PEM of the authority's root */
  readonly ca: Buffer;
  readonly hostname: string;
}

const withinMs = 120_000;
const pauseMs = 20;

/** Resolves once the site answers over HTTPS with a certificate that the authority's root vouches for. */
export const untilServed = (site: Site): Promise<void> =>
  untilTrue(`https://${site.hostname}/`, async () => {
    const answer = await askHttps(site).catch(() => null);
    return answer?.status === 200;
  });

/** Asks again and again; rejects after two minutes. */
export async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end;) {
    if (await isTrue()) return;
    await sleep(pauseMs);
  }
  throw new Error(`${what}: not within ${withinMs / 1_000} s`);
}
