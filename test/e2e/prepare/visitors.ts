import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { askHttps } from '../../../dev/lib/https.ts';

/** What visitors of one hostname saw. */
interface Visited {
  /** how many requests got each body with status 200 */
  readonly bodies: ReadonlyMap<string, number>;
  /** everything that is not a page: no address, no connection, a certificate that is not trusted, another status */
  readonly failures: readonly string[];
}

export interface Visitors {
  leave(): Promise<Visited>;
}

export interface VisitorOptions {
  readonly hostname: string;
  /** ADDR:PORT of their resolver */
  readonly resolver: string;
  /** PEM roots that they trust */
  readonly ca: Buffer;
  readonly everyMs: number;
}

/** Visitors that come at a steady pace, each with a look at DNS and a connection of its own. */
export function sendVisitors({ hostname, resolver, ca, everyMs }: VisitorOptions): Visitors {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  dns.setServers([resolver]);
  const bodies = new Map<string, number>();
  const failures: string[] = [];
  const visit = async () => {
    try {
      const [address = ''] = await dns.resolve4(hostname);
      const { status, body } = await askHttps({ address, ca, hostname });
      if (status === 200) bodies.set(body, (bodies.get(body) ?? 0) + 1);
      else failures.push(`status ${status} from ${address}`);
    } catch (error) {
      failures.push((error as Error).message);
    }
  };
  let isOpen = true;
  const visits: Promise<void>[] = [];
  const comings = (async () => {
    for (; isOpen; await sleep(everyMs)) visits.push(visit());
  })();
  return {
    async leave() {
      isOpen = false;
      await comings;
      await Promise.all(visits);
      return { bodies, failures };
    },
  };
}
