import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { messageOf } from '../lib/error-serializer.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import type { Probe } from '../routing/https-probe.ts';
import { createHttpsProbe } from '../routing/https-probe.ts';
import { visitedHostname } from '../rules/dns-target.ts';
import { domainFields } from '../use-cases/domain-view.ts';
import { clusterUsage, noNames, optionsOf } from './cluster-options.ts';
import { table, writeResult } from './terminal-output.ts';
import { CommandFailure, UsageError } from './usage-errors.ts';
import { withCluster } from './with-cluster.ts';

export const usage = `usage: projectdomain probe --address ADDRESS [-A] [options]

Asks for every Live hostname at one address over HTTPS, as visitors do whose DNS has it, and shows which do not answer with their
certificates: to see that another edge serves all of them before DNS points to it.

      --address ADDRESS  IPv4 or IPv6 address of the edge
      --port PORT        its HTTPS port; default: 443
      --ca FILE          root certificates to trust; default: the system's
  -A, --all-namespaces   the domains of all namespaces
${clusterUsage}

exit status: 0 all answer, 1 some do not, or refused, 3 wrong usage`;

/** How many hostnames are asked for at a time. */
const atATime = 16;

/** A hostname that does not answer, and why. */
interface Failed {
  readonly namespace: string;
  readonly hostname: string;
  readonly detail: string;
}

/** Asks an edge for every Live hostname of one namespace, or of all. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {
    'all-namespaces': { type: 'boolean', short: 'A' },
    address: { type: 'string' },
    port: { type: 'string', default: '443' },
    ca: { type: 'string' },
  });
  noNames(positionals);
  const { address = '' } = values;
  if (isIP(address) === 0) throw new UsageError('--address takes an IPv4 or IPv6 address');
  const edge = createHttpsProbe({ address, port: portOf(values.port), ca: rootsIn(values.ca) });
  const domains = await withCluster(values, ({ cluster, namespace }) =>
    cluster.list(ProjectDomainKind, values['all-namespaces'] ? {} : { namespace }),
  );
  const live = domains.filter(({ status }) => status?.state === 'Live');
  const failed = await failedOf(edge, live);
  const [asked, answered] = [live.length, live.length - failed.length];
  writeResult({ address, asked, answered, failed }, values.json, (shown) => printProbed(shown.failed, shown));
  return failed.length === 0 ? 0 : 1;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port takes a number from 1 to 65535');
  return port;
}

function rootsIn(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`--ca: ${messageOf(error)}`);
  }
}

/** In the order of the domains. */
async function failedOf(edge: Probe, domains: readonly ProjectDomain[]): Promise<readonly Failed[]> {
  const failed: (Failed | undefined)[] = [];
  const waiting = domains.entries();
  const askOn = async () => {
    for (const [index, domain] of waiting) failed[index] = await complaintOf(edge, domain);
  };
  await Promise.all(Array.from({ length: atATime }, askOn));
  return failed.filter((one) => one !== undefined);
}

async function complaintOf(edge: Probe, domain: ProjectDomain): Promise<Failed | undefined> {
  const { namespace = '' } = domain.metadata;
  const { hostname } = domain.spec;
  const { notAfter = '' } = domainFields(domain).certificate ?? {};
  const request = { hostname: visitedHostname(hostname), notAfter };
  try {
    const result = await edge.ask(request, new AbortController().signal);
    return result.ok ? undefined : { namespace, hostname, detail: result.detail };
  } catch (error) {
    // What came past the rules of hostnames is no reason not to ask for the others.
    return { namespace, hostname, detail: messageOf(error) };
  }
}

interface Probed {
  readonly address: string;
  readonly asked: number;
  readonly answered: number;
}

/** A line for each hostname that does not answer, and how many do. */
export function printProbed(failed: readonly Failed[], { address, asked, answered }: Probed): string {
  const sum = `${answered} of ${asked} Live hostnames answer at ${address} with their certificates.`;
  if (failed.length === 0) return sum;
  const rows = failed.map(({ namespace, hostname, detail }) => [namespace, hostname, detail]);
  return `${table(['Namespace', 'Hostname', 'Instead'], rows)}\n\n${sum}`;
}
