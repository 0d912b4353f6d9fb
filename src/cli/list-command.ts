import { ProjectDomainKind } from '../resources/kinds.ts';
import type { DomainSummary } from './domain-summary.ts';
import { domainSummary, nameForPeople } from './domain-summary.ts';
import { clusterUsage, noNames, optionsOf } from './cluster-options.ts';
import { withCluster } from './with-cluster.ts';
import { table, tell, writeResult } from './terminal-output.ts';

export const usage = `usage: projectdomain list [-A] [options]

Lists the domains of a namespace with their states and when their certificates expire.

  -A, --all-namespaces  the domains of all namespaces
${clusterUsage}

exit status: 0 listed, even if there are none, 1 refused, 3 wrong usage`;

/** Prints the domains of one namespace, or of all. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, { 'all-namespaces': { type: 'boolean', short: 'A' } });
  noNames(positionals);
  const everywhere = values['all-namespaces'] ?? false;
  const { namespace, found } = await withCluster(values, async ({ cluster, namespace: own }) => ({
    namespace: own,
    found: await cluster.list(ProjectDomainKind, everywhere ? {} : { namespace: own }),
  }));
  const now = Date.now();
  const items = found.map((domain) => domainSummary(domain, now)).sort(byPlace);
  if (values.json || items.length > 0)
    writeResult({ items }, values.json, (shown) => printList(shown.items, everywhere));
  else tell(everywhere ? 'There are no domains.' : `There are no domains in namespace ${namespace}.`);
  return 0;
}

const byPlace = (a: DomainSummary, b: DomainSummary): number =>
  a.namespace.localeCompare(b.namespace) || a.hostname.localeCompare(b.hostname) || a.name.localeCompare(b.name);

/** One line per domain, with its namespace when all namespaces are listed. */
export function printList(items: readonly DomainSummary[], everywhere: boolean): string {
  const headings = ['Hostname', 'State', 'Reason', 'Role', 'Project', 'Certificate expires'];
  const rows = items.map(({ hostname, state, reason, role, project, certificate }) => [
    nameForPeople(hostname),
    state ?? 'new',
    reason,
    role,
    project,
    certificate?.notAfter ?? '-',
  ]);
  if (!everywhere) return table(headings, rows);
  return table(
    ['Namespace', ...headings],
    rows.map((row, index) => [items[index]?.namespace ?? '', ...row]),
  );
}
