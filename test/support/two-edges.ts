import { afterEach } from '@jest/globals';
import { askHttps } from '../../dev/lib/https.ts';
import { edges } from '../../dev/platform/edges.ts';
import type { Edge } from '../../dev/platform/services.ts';
import { createIngressClass, startTraefik, traefikEdge } from '../../dev/platform/services.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { inState } from '../../dev/story/stage.ts';
import { publishDomain, recordOf } from './published-domain.ts';
import type { Visits } from './visits.ts';
import { visitInTurn } from './visits.ts';

/** What tests of platforms with two edges share. */

/** The IngressClass of the second edge, where it is an ingress controller. */
export const className = 'second';

const secondTraefik: Edge = {
  routing: { kind: 'Ingress', className, controller: 'Other' },
  start: async (around) => {
    await createIngressClass(around.kubectl, 'traefik.io/ingress-controller', className);
    return startTraefik(around, [`--providers.kubernetesingress.ingressclass=${className}`]);
  },
};

/** A Traefik of a class of its own, or what PROJECTDOMAIN_MOVE_TO names. Throws where that is no edge. */
export function secondEdge(): Edge {
  const { PROJECTDOMAIN_MOVE_TO: name = '' } = process.env;
  const chosen = edges[name];
  if (name !== '' && !chosen) throw new Error(`there is no edge ${name}`);
  return chosen && chosen !== traefikEdge ? chosen : secondTraefik;
}

const visiting: (() => Promise<unknown>)[] = [];

/** Ends what a test that failed has left. To be called once in a test file. */
export function endVisitsAfterEach(): void {
  afterEach(async () => void (await Promise.all(visiting.splice(0).map((end) => end()))));
}

/** Asks for each hostname at an address; `redirecting` are to answer 301, and all others 200. */
export function visit(
  ca: Buffer,
  address: string,
  hostnames: readonly string[],
  redirecting: readonly string[] = [],
): Visits {
  const visits = visitInTurn(hostnames, async (hostname) => {
    const complaint = await askHttps({ address, ca, hostname }).then(
      ({ status }) => (status === (redirecting.includes(hostname) ? 301 : 200) ? null : `status ${status}`),
      String,
    );
    return complaint === null ? null : `${hostname} at ${address}: ${complaint}`;
  });
  visiting.push(visits.end);
  return visits;
}

/** Adds a domain of an account of its own, and its record; resolves once it is Live. */
export async function goLive(stage: Stage, account: string): Promise<string> {
  const hostname = `www.${account}.example`;
  await publishDomain(stage, account, hostname);
  const seen = await stage.domainWhere(account, hostname, 'shows its record', (one) =>
    recordOf(one, 'CNAME') ? null : 'no record',
  );
  await stage.putZone(`${account}.example`, `www CNAME ${recordOf(seen, 'CNAME')?.value}.`);
  await stage.domainWhere(account, hostname, 'is Live', inState('Live'));
  return hostname;
}
