import { AccountKind, NamespaceKind, PlanKind, ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import { accountLabel } from '../../resources/object-metadata.ts';
import { clusterUsage, noNames, optionsOf } from '../cluster-options.ts';
import { printable } from '../../lib/printable.ts';
import { table, writeResult } from '../terminal-output.ts';
import { UsageError } from '../usage-errors.ts';
import type { ClusterSession } from '../with-cluster.ts';
import { withCluster } from '../with-cluster.ts';
import type { MigratingProject, MigrationScope } from './migration.ts';
import { migrationOf } from './migration.ts';

export const usage = `usage: projectdomain migrate --to CLASS [--from CLASS] [-A] [--apply] [options]

Shows which projects would move to a routing class, which have, the records that lead their targets there, and the hostnames that still
lead to a former class. With --apply the projects are moved, one after the other; run it again at any time. A hostname is served by both
classes as long as it points to the former one. To go back, move to the former class.

      --to CLASS         the routing class to move to; plans have to permit it (spec.routingClasses)
      --from CLASS       only projects that this class serves; default: all
      --apply            moves them
  -A, --all-namespaces   the projects of all namespaces
${clusterUsage}

exit status: 0 shown, or all moved, 1 refused, or a plan does not permit it, 3 wrong usage`;

/** Shows how far projects have come to another routing class, and moves them. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {
    'all-namespaces': { type: 'boolean', short: 'A' },
    to: { type: 'string' },
    from: { type: 'string' },
    apply: { type: 'boolean' },
  });
  noNames(positionals);
  const { to = '', from = null, apply = false } = values;
  if (to === '') throw new UsageError('--to takes the name of a routing class');
  if (to === from) throw new UsageError('--from and --to are the same class');
  const scope = { to, from, isEverywhere: values['all-namespaces'] ?? false };
  const projects = await withCluster(values, async (session) => {
    const found = await read(session, scope);
    return apply ? moveAll(session, found, to) : found;
  });
  writeResult({ to, from, projects }, values.json, (shown) => printMigration(shown.projects, to));
  return apply && projects.some(({ state }) => state === 'NotPermitted') ? 1 : 0;
}

interface Scope extends MigrationScope {
  readonly isEverywhere: boolean;
}

async function read(
  { cluster, namespace }: ClusterSession,
  { isEverywhere, ...scope }: Scope,
): Promise<readonly MigratingProject[]> {
  const where = isEverywhere ? {} : { namespace };
  const [projects, domains, namespaces, accounts, plans] = await Promise.all([
    cluster.list(ProjectKind, where),
    cluster.list(ProjectDomainKind, where),
    cluster.list(NamespaceKind, { labelSelector: accountLabel }),
    cluster.list(AccountKind),
    cluster.list(PlanKind),
  ]);
  return migrationOf({ projects, domains, namespaces, accounts, plans }, scope);
}

/** One after the other, so that one that is refused is the last. */
async function moveAll(
  { cluster }: ClusterSession,
  projects: readonly MigratingProject[],
  to: string,
): Promise<readonly MigratingProject[]> {
  const { apiVersion, kind } = ProjectKind;
  const moved: MigratingProject[] = [];
  for (const one of projects) {
    const metadata = { namespace: one.namespace, name: one.project };
    if (one.state === 'Moves')
      await cluster.apply(ProjectKind, { apiVersion, kind, metadata, spec: { routingClass: to } });
    moved.push(one.state === 'Moves' ? { ...one, state: 'Moved' } : one);
  }
  return moved;
}

const words: Readonly<Record<MigratingProject['state'], (project: MigratingProject) => string>> = {
  Moves: () => 'moves with --apply',
  Moved: ({ behind }) => (behind.length === 0 ? 'moved' : `moved; ${behind.length} still lead to a former class`),
  NotPermitted: ({ plan }) => (plan === '' ? 'its account has no plan' : `plan ${plan} does not permit it`),
};

/** A line for each project, the records that the platform's zone has to have, and who has to change something else. */
export function printMigration(projects: readonly MigratingProject[], to: string): string {
  if (projects.length === 0) return 'There is no project to move.';
  const rows = projects.map((one) => [one.namespace, one.project, one.servedBy.join(','), words[one.state](one)]);
  const moved = projects.filter(({ state }) => state === 'Moved');
  const records = moved.flatMap((one) => one.records);
  const behind = moved.flatMap((one) => one.behind).filter(({ actor }) => actor === 'Owner');
  return [
    table(['Namespace', 'Project', 'Served by', `To ${to}`], rows),
    ...section('The zone of the targets needs, besides its wildcard record:', records),
    ...section(
      'Their owners have to change an address record (kubectl projectdomain records shows it):',
      behind.map(({ hostname }) => hostname),
    ),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${printable(line)}`)];
