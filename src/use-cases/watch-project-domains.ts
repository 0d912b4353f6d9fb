import type { DomainHead } from '../rules/domain-head.ts';
import { indexKey } from './acceptance-candidate.ts';
import { pause } from './event-streams.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import { whileKeyIsValid } from './key-validity.ts';
import type { ApiCaches, RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

interface WatchProjectDomains extends ProjectPath {
  /** domains newer than this version are reported at once; all of them if this is NaN */
  readonly since: number;
  /** called every few seconds: whether anything else the stream depends on, such as a session, is still valid */
  readonly alsoHolds: () => Promise<boolean>;
}

export type ProjectDomainsEvent =
  /** the first event: every hostname of the project */
  | { readonly kind: 'names'; readonly hostnames: readonly string[] }
  /** a reopened stream resumes from `version` */
  | { readonly kind: 'changed'; readonly hostname: string; readonly version: number }
  | { readonly kind: 'removed'; readonly hostname: string }
  | { readonly kind: 'heartbeat' };

/**
 * Every change of a project's domains, the latest of each hostname, until the key becomes invalid or the client
 * disconnects. Rejects with too-many-streams. A caller that takes the first event must end the iteration, which
 * releases the account's slot.
 */
export const watchProjectDomains = useCase<WatchProjectDomains, AsyncIterable<ProjectDomainsEvent>>(
  'domains:read',
  (context, input) => {
    const { namespace = '', name } = projectOf(context, input).metadata;
    const release = context.dependencies.streams.take(context.caller.account.metadata.name);
    return changes(context, { ...input, place: indexKey(namespace, name) }, release);
  },
);

/** By hostname: the version still to be reported, null if the domain is gone. */
type Unreported = Map<string, number | null>;

async function* changes(
  context: RequestContext,
  { place, since, alsoHolds, ...path }: WatchProjectDomains & { readonly place: string },
  release: () => void,
): AsyncGenerator<ProjectDomainsEvent> {
  const { dependencies, caller } = context;
  const ended = new AbortController();
  const ends = AbortSignal.any([context.signal, ended.signal]);
  const signal = whileKeyIsValid({ dependencies, caller, scope: 'domains:read', alsoHolds, signal: ends });
  const unreported: Unreported = new Map();
  let wake: () => void = () => undefined;
  const unsubscribe = dependencies.caches.domains.subscribeUnder('project', place, ({ object, type }) => {
    const { hostname } = object.spec;
    const present = isGone(object, type) ? successorOf(dependencies.caches.domains, object) : object;
    unreported.set(hostname, present ? versionOf(present) : null);
    wake();
  });
  try {
    const current = domainsIn(context, path);
    for (const domain of newerThan(since, current)) unreported.set(domain.spec.hostname, versionOf(domain));
    yield { kind: 'names', hostnames: current.map(({ spec }) => spec.hostname) };
    while (!signal.aborted) {
      // By version, because a reopened stream resumes from the last one that it was told.
      const batch = [...unreported].toSorted(([, a], [, b]) => (a ?? 0) - (b ?? 0));
      unreported.clear();
      for (const [hostname, version] of batch)
        yield version === null ? { kind: 'removed', hostname } : { kind: 'changed', hostname, version };
      if (unreported.size > 0) continue;
      await pause(signal, (resolve) => (wake = resolve));
      if (unreported.size === 0) yield { kind: 'heartbeat' };
    }
  } finally {
    ended.abort();
    unsubscribe();
    release();
  }
}

const versionOf = ({ metadata }: DomainHead): number => Number(metadata.resourceVersion);

const newerThan = (since: number, domains: readonly DomainHead[]): readonly DomainHead[] =>
  Number.isNaN(since) ? domains : domains.filter((domain) => versionOf(domain) > since);

/** The highest resource version of the domains; all objects of a kind share one increasing counter (KEP-5504). */
export const newestVersion = (domains: readonly DomainHead[]): number =>
  domains.reduce((newest, domain) => Math.max(newest, versionOf(domain)), 0);

/** Another domain of the same project with the hostname of one that is gone. */
const successorOf = (domains: Pick<ApiCaches['domains'], 'byIndex'>, { metadata, spec }: DomainHead) =>
  domains
    .byIndex('place', indexKey(metadata.namespace ?? '', spec.hostname))
    .find((other) => other.spec.project === spec.project && other.metadata.deletionTimestamp === undefined);

const isGone = ({ metadata }: DomainHead, type: string): boolean =>
  type === 'deleted' || metadata.deletionTimestamp !== undefined;
