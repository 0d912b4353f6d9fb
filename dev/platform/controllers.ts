import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chartFolder } from './chart.ts';
import type { ClassRouting } from './services.ts';

/** What the chart knows of a controller (src/routing/edges), as far as it matters here. */
interface ChartController {
  readonly wildcardAnnotations?: object | null;
  readonly servesWildcards?: boolean;
  readonly listeners?: readonly [string, ...string[]];
}

/** Throws where the chart knows no such controller. */
function controllerOf({ kind, controller }: ClassRouting): ChartController {
  const file = join(chartFolder, 'files/controllers', `${kind.toLowerCase()}.yaml`);
  const found = (parse(readFileSync(file, 'utf8')) as Readonly<Record<string, ChartController>>)[controller];
  if (!found) throw new Error(`${file} has no ${controller}`);
  return found;
}

/** Whether customers may add wildcards on an edge. */
export function canWildcard(routing: ClassRouting): boolean {
  const { wildcardAnnotations = null, servesWildcards = false } = controllerOf(routing);
  return wildcardAnnotations !== null || servesWildcards;
}

/** Hostnames have their listeners on the Gateway itself. */
export const hasListenersOnGateway = (routing: ClassRouting): boolean =>
  routing.kind === 'Gateway' && (routing.listeners ?? controllerOf(routing).listeners?.[0]) === 'Gateway';
