import type { ProjectDomain } from '../generated/project-domain.ts';
import { indexKey } from './acceptance-candidate.ts';
import { pause } from './event-streams.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import { whileKeyIsValid } from './key-validity.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

interface WatchProjectDomains extends ProjectPath {
  /** what is newer than this version is told at once; all of it when this is no number */
  readonly since: number;
  /** asked every few seconds: whether what else opened the stream still stands, such as a session */
  readonly alsoHolds: () => Promise<boolean>;
}

export type ProjectDomainsEvent =
  /** the first one: every hostname of the project */
  | { readonly kind: 'names'; readonly hostnames: readonly string[] }
  /** `version` is where a stream that is opened anew goes on from */
  | { readonly kind: 'changed'; readonly hostname: string; readonly version: number }
  | { readonly kind: 'removed'; readonly hostname: string }
  | { readonly kind: 'heartbeat' };

/**
 * Every change of a project's domains, the latest of each hostname, until the key opens it no more or nobody listens.
 * Rejects with too-many-streams. Whoever takes the first event must end the iteration, which gives the account's place
 * back.
 */
export const watchProjectDomains = useCase<WatchProjectDomains, AsyncIterable<ProjectDomainsEvent>>(
  'domains:read',
  (context, input) => {
    const { namespace = '', name } = projectOf(context, input).metadata;
    const release = context.dependencies.streams.take(context.caller.account.metadata.name);
    return changes(context, { ...input, place: indexKey(namespace, name) }, release);
  },
);

/** By hostname: the version that is to be told, null for what is gone. */
type Untold = Map<string, number | null>;

async function* changes(
  context: RequestContext,
  { place, since, alsoHolds, ...path }: WatchProjectDomains & { readonly place: string },
  release: () => void,
): AsyncGenerator<ProjectDomainsEvent> {
  const { dependencies, caller } = context;
  const over = new AbortController();
  const ends = AbortSignal.any([context.signal, over.signal]);
  const signal = whileKeyIsValid({ dependencies, caller, scope: 'domains:read', alsoHolds, signal: ends });
  const untold: Untold = new Map();
  let wake: () => void = () => undefined;
  const unsubscribe = dependencies.caches.domains.subscribeUnder('project', place, ({ object, type }) => {
    untold.set(object.spec.hostname, isGone(object, type) ? null : versionOf(object));
    wake();
  });
  try {
    const here = domainsIn(context, path);
    for (const domain of newerThan(since, here)) untold.set(domain.spec.hostname, versionOf(domain));
    yield { kind: 'names', hostnames: here.map(({ spec }) => spec.hostname) };
    while (!signal.aborted) {
      const told = [...untold];
      untold.clear();
      for (const [hostname, version] of told)
        yield version === null ? { kind: 'removed', hostname } : { kind: 'changed', hostname, version };
      if (untold.size > 0) continue;
      await pause(signal, (resolve) => (wake = resolve));
      if (untold.size === 0) yield { kind: 'heartbeat' };
    }
  } finally {
    over.abort();
    unsubscribe();
    release();
  }
}

const versionOf = ({ metadata }: ProjectDomain): number => Number(metadata.resourceVersion);

const newerThan = (since: number, domains: readonly ProjectDomain[]): readonly ProjectDomain[] =>
  Number.isNaN(since) ? domains : domains.filter((domain) => versionOf(domain) > since);

/** The version of the newest of the domains; they are counted through by one counter (KEP-5504). */
export const newestVersion = (domains: readonly ProjectDomain[]): number =>
  domains.reduce((newest, domain) => Math.max(newest, versionOf(domain)), 0);

const isGone = ({ metadata }: ProjectDomain, type: string): boolean =>
  type === 'deleted' || metadata.deletionTimestamp !== undefined;
