import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { maximumWords } from '../rules/plan-limits.ts';
import type { KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import type { ProblemCode } from './problem.ts';
import { Problem } from './problem.ts';
import type { CallerContext, LiveCache } from './api-dependencies.ts';
import { whenShown } from './cache-wait.ts';
import type { Place } from './writes/writes.ts';

const capCodes = {
  projects: 'project-cap-reached',
  domains: 'domain-cap-reached',
  apiKeys: 'key-cap-reached',
} as const satisfies Readonly<Record<keyof Limits['maximum'], ProblemCode>>;

function placeOf({ caller }: CallerContext, resource: keyof typeof capCodes, used: number): Place {
  const maximum = caller.limits.maximum[resource];
  const { plan } = caller.account.spec;
  const detail = `the account may have ${maximum} ${maximumWords[resource]} on plan ${plan}; remove one, or ask for a larger plan`;
  const scope = `${resource} of ${caller.account.metadata.name}`;
  return { scope, used, maximum, refusal: () => new Problem(capCodes[resource], detail, { members: { maximum } }) };
}

/** Room for one more project of the account. Throws project-cap-reached. */
export const projectPlaces = (context: CallerContext, namespace: string): readonly Place[] => [
  placeOf(context, 'projects', context.dependencies.caches.projects.countByIndex('namespace', namespace)),
];

/** Room for one more API key of the account. Throws key-cap-reached. */
export const keyPlaces = (context: CallerContext): readonly Place[] => [
  placeOf(
    context,
    'apiKeys',
    context.dependencies.caches.apiKeys.countByIndex('account', context.caller.account.metadata.name),
  ),
];

/** Room for one more domain, in its project and in the account. Throws domain-cap-reached. */
export function domainPlaces(context: CallerContext, { metadata, spec }: ProjectDomain): readonly Place[] {
  const { domains } = context.dependencies.caches;
  const { namespace = '' } = metadata;
  const { maxPerProject } = context.caller.limits.customDomains;
  const project = indexKey(namespace, spec.project);
  const refusal = () =>
    new Problem(
      'domain-cap-reached',
      `the plan allows ${maxPerProject} domains per project; remove another one or upgrade`,
    );
  return [
    placeOf(context, 'domains', domains.countByIndex('namespace', namespace)),
    {
      scope: `domains of project ${project}`,
      used: domains.countByIndex('project', project),
      maximum: maxPerProject,
      refusal,
    },
  ];
}

/** Throws when there is no room; reserves nothing. */
export function mustHaveRoom({ dependencies }: Pick<CallerContext, 'dependencies'>, places: readonly Place[]): void {
  dependencies.writes.reservations.reserve(places)();
}

/** How long a created object is counted before the cache shows it. */
const shownWithinMs = 30_000;

interface Making<O extends KubernetesObject> {
  readonly places: readonly Place[];
  readonly cache: LiveCache<O, unknown>;
  readonly key: ObjectKey;
}

/**
 * Creates one object within its caps: its places are reserved until the cache counts it, or until creating it failed.
 */
export async function makeWithin<T, O extends KubernetesObject>(
  { dependencies }: Pick<CallerContext, 'dependencies'>,
  { places, cache, key }: Making<O>,
  make: () => Promise<T>,
): Promise<T> {
  const release = dependencies.writes.reservations.reserve(places);
  const patience = { ms: shownWithinMs, signal: dependencies.stopping };
  const stop = whenShown(cache, key, (object) => object !== undefined, { patience, end: release });
  try {
    return await make();
  } catch (error) {
    stop();
    throw error;
  }
}
