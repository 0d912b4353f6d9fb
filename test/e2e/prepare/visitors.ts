import { Resolver } from 'node:dns/promises';
import { askHttps } from '../../../dev/lib/https.ts';
import { visitInTurn } from '../../support/visits.ts';

/** What visitors of one hostname saw. */
interface Visited {
  /** how many requests got each body with status 200 */
  readonly bodies: ReadonlyMap<string, number>;
  /** everything that is not a page: no address, no connection, a certificate that is not trusted, another status */
  readonly failures: readonly string[];
}

export interface Visitors {
  /** Resolves once so many more of them have come than by now. */
  further(count: number): Promise<void>;
  leave(): Promise<Visited>;
}

interface VisitorOptions {
  readonly hostname: string;
  /** ADDR:PORT of their resolver */
  readonly resolver: string;
  /** PEM roots that they trust */
  readonly ca: Buffer;
}

/** Visitors that come at a steady pace, each with a look at DNS and a connection of its own. */
export function sendVisitors({ hostname, resolver, ca }: VisitorOptions): Visitors {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  dns.setServers([resolver]);
  const bodies = new Map<string, number>();
  const visits = visitInTurn([hostname], async () => {
    const [address = ''] = await dns.resolve4(hostname);
    const { status, body } = await askHttps({ address, ca, hostname });
    if (status !== 200) return `status ${status} from ${address}`;
    bodies.set(body, (bodies.get(body) ?? 0) + 1);
    return null;
  });
  return {
    further: visits.further,
    async leave() {
      const { failed } = await visits.end();
      return { bodies, failures: failed };
    },
  };
}
