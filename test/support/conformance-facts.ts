import { readFileSync, writeFileSync } from 'node:fs';
import { hasListenersOnGateway } from '../../dev/platform/controllers.ts';
import type { PlatformFacts } from '../../dev/platform/platform.ts';
import type { ClassRouting } from '../../dev/platform/services.ts';

/** A name server that takes dynamic updates (RFC 2136). */
export interface UpdateServer {
  /** ADDR:PORT */
  readonly address: string;
  /** a file with a TSIG key as `nsupdate -k` reads it; null for a server that asks for none */
  readonly keyFile: string | null;
}

/** How behaviours act in a cluster that somebody else made. */
interface ElsewhereFacts {
  readonly updates: UpdateServer;
  /** an address of this machine that the cluster's Pods reach: customers' web servers listen there */
  readonly serversAddress: string;
}

/** What behaviours know of the platform that they are shown on. */
export interface ConformanceFacts extends Pick<
  PlatformFacts,
  'kubeconfig' | 'kubectl' | 'ingressAddress' | 'acmeRoot' | 'platformDomain' | 'apiUrl'
> {
  /** null where zones are not ours */
  readonly dnsControl: string | null;
  readonly routing: ClassRouting;
  /** customers may add wildcards; then a hostname that is suspended answers 503, so that none serves it */
  readonly servesWildcards: boolean;
  /** null on a platform of this machine, whose zones and cluster IPs are ours */
  readonly elsewhere: ElsewhereFacts | null;
}

/** The variable that names the file with the facts. */
const variable = 'PROJECTDOMAIN_CONFORMANCE';

/** Writes them; resolves to what the tests' environment has to say. */
export function writeConformanceFacts(file: string, facts: ConformanceFacts): Readonly<Record<string, string>> {
  writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
  return { [variable]: file };
}

export const readConformanceFacts = (): ConformanceFacts =>
  JSON.parse(readFileSync(process.env[variable] ?? '', 'utf8')) as ConformanceFacts;

/** Whether hostnames have listeners on the Gateway itself, which has place for 63. */
export const hasPlaces = ({ routing }: Pick<ConformanceFacts, 'routing'>): boolean => hasListenersOnGateway(routing);

/** The zone that all hostnames of behaviours are in; their manifests have `example`. */
export const conformanceZone = (): string => process.env.PROJECTDOMAIN_ZONE ?? 'example';
