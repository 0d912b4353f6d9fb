import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { maximumWords } from '../rules/plan-limits.ts';
import type { KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { indexKey } from './acceptance-candidate.ts';
import type { ProblemCode } from './problem.ts';
import { Problem } from './problem.ts';
import type { RequestContext, LiveCache } from './api-dependencies.ts';
import { whenShown } from './cache-wait.ts';
import type { Place } from './writes/cap-reservations.ts';

type Asking = Pick<RequestContext, 'dependencies' | 'caller'>;

const things = {
  projects: 'project-cap-reached',
  domains: 'domain-cap-reached',
  apiKeys: 'key-cap-reached',
} as const satisfies Readonly<Record<keyof Limits['maximum'], ProblemCode>>;

function placeOf({ caller }: Asking, thing: keyof typeof things, used: number): Place {
  const maximum = caller.limits.maximum[thing];
  const { plan } = caller.account.spec;
  const detail = `the account may have ${maximum} ${maximumWords[thing]} on plan ${plan}; remove one, or ask for a larger plan`;
  const scope = `${thing} of ${caller.account.metadata.name}`;
  return { scope, used, maximum, refusal: () => new Problem(things[thing], detail, { members: { maximum } }) };
}

/** Room for one more project of the account. Throws project-cap-reached. */
export const projectPlaces = (asking: Asking, namespace: string): readonly Place[] => [
  placeOf(asking, 'projects', asking.dependencies.caches.projects.byIndex('namespace', namespace).length),
];

/** Room for one more API key of the account. Throws key-cap-reached. */
export const keyPlaces = (asking: Asking): readonly Place[] => [
  placeOf(
    asking,
    'apiKeys',
    asking.dependencies.caches.apiKeys.byIndex('account', asking.caller.account.metadata.name).length,
  ),
];

/** Room for one more domain, in its project and in the account. Throws domain-cap-reached. */
export function domainPlaces(asking: Asking, { metadata, spec }: ProjectDomain): readonly Place[] {
  const { domains } = asking.dependencies.caches;
  const { namespace = '' } = metadata;
  const { maxPerProject } = asking.caller.limits.customDomains;
  const project = indexKey(namespace, spec.project);
  const refusal = () =>
    new Problem(
      'domain-cap-reached',
      `the plan allows ${maxPerProject} domains a project; remove another one or upgrade`,
    );
  return [
    placeOf(asking, 'domains', domains.byIndex('namespace', namespace).length),
    {
      scope: `domains of project ${project}`,
      used: domains.byIndex('project', project).length,
      maximum: maxPerProject,
      refusal,
    },
  ];
}

/** Throws when there is no room; takes none. */
export function mustHaveRoom({ dependencies }: Pick<Asking, 'dependencies'>, places: readonly Place[]): void {
  dependencies.writes.reservations.reserve(places)();
}

/** For how long something that was made counts although the cache does not show it. */
const shownWithinMs = 30_000;

interface Making<O extends KubernetesObject> {
  readonly places: readonly Place[];
  readonly cache: LiveCache<O>;
  readonly key: ObjectKey;
}

/**
 * Makes one thing within its caps: its places are held until the cache counts it, or until it turned out not to be made.
 */
export async function makeWithin<T, O extends KubernetesObject>(
  { dependencies }: Pick<Asking, 'dependencies'>,
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
