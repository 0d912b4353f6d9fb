import type { DomainHead } from '../rules/domain-head.ts';
import { indexKey, keyOf } from '../kubernetes/object-keys.ts';
import type { ViewedDomain } from './domain-view.ts';
import { domainViews } from './domain-views.ts';
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
  /** called with what is to be paid beside the request, before anything is reported; rejects with the problem of a refusal */
  readonly spend: (units: number) => Promise<void>;
}

/** So many domains are reported at once for a request. */
const domainsPerRequest = 20;

export type ProjectDomainsEvent =
  /** the first event: every hostname of the project */
  | { readonly kind: 'names'; readonly hostnames: readonly string[] }
  /** a reopened stream resumes from `version` */
  | { readonly kind: 'changed'; readonly hostname: string; readonly version: number; readonly viewed: ViewedDomain }
  | { readonly kind: 'removed'; readonly hostname: string }
  | { readonly kind: 'heartbeat' };

/**
 * Every change of a project's domains, the latest of each hostname, until the key becomes invalid or the client
 * disconnects. Of the domains that are newer than `since`, every 20 beyond the first 20 count as a request. Rejects with too-many-streams. A
 * caller that takes the first event must end the iteration, which releases the account's slot.
 */
export const watchProjectDomains = useCase<WatchProjectDomains, AsyncIterable<ProjectDomainsEvent>>(
  'domains:read',
  async (context, input) => {
    const place = keyOf(projectOf(context, input));
    const more = Math.ceil(newerThan(input.since, domainsIn(context, input)).length / domainsPerRequest) - 1;
    if (more > 0) await input.spend(more);
    const release = context.dependencies.streams.take(context.caller.account.metadata.name);
    return changes(context, { ...input, place }, release);
  },
);

/** By hostname: the domain still to be reported, null if it is gone. */
type Unreported = Map<string, DomainHead | null>;

async function* changes(
  context: RequestContext,
  { place, since, alsoHolds, project }: WatchProjectDomains & { readonly place: string },
  release: () => void,
): AsyncGenerator<ProjectDomainsEvent> {
  const { dependencies, caller } = context;
  const ended = new AbortController();
  const ends = AbortSignal.any([context.signal, ended.signal]);
  const signal = whileKeyIsValid({ dependencies, caller, alsoHolds, signal: ends });
  const unreported: Unreported = new Map();
  let wake: () => void = () => undefined;
  const unsubscribe = dependencies.caches.domains.subscribeUnder('project', place, ({ object, type }) => {
    const { hostname } = object.spec;
    const present = isGone(object, type) ? successorOf(dependencies.caches.domains, object) : object;
    unreported.set(hostname, present ?? null);
    wake();
  });
  try {
    const current = domainsIn(context, { project });
    for (const domain of newerThan(since, current)) unreported.set(domain.spec.hostname, domain);
    yield { kind: 'names', hostnames: current.map(({ spec }) => spec.hostname) };
    while (!signal.aborted) {
      const batch = [...unreported];
      unreported.clear();
      yield* eventsOf(context, batch);
      if (unreported.size > 0) continue;
      await pause(signal, (resolve) => (wake = resolve));
      if (unreported.size === 0 && !signal.aborted) yield { kind: 'heartbeat' };
    }
  } finally {
    ended.abort();
    unsubscribe();
    release();
  }
}

/** By version, because a reopened stream resumes from the last one that it was told. */
async function* eventsOf(
  context: RequestContext,
  batch: readonly (readonly [string, DomainHead | null])[],
): AsyncGenerator<ProjectDomainsEvent> {
  for (const [hostname, domain] of batch) if (domain === null) yield { kind: 'removed', hostname };
  const present = batch.flatMap(([, domain]) => domain ?? []).toSorted((a, b) => versionOf(a) - versionOf(b));
  for await (const { head, viewed } of domainViews(context, present))
    yield { kind: 'changed', hostname: head.spec.hostname, version: versionOf(head), viewed };
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
