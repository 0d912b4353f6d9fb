import type { ProjectDomain } from '../../generated/project-domain.ts';
import { isServed } from '../../rules/domain-head.ts';
import type { Redirect } from './decide-redirect.ts';

/** The ingress follows a change of role within seconds; until then requests still arrive here. */
const rememberedMs = 60_000;

interface RedirectChange {
  readonly object: ProjectDomain;
  readonly previous: ProjectDomain | undefined;
  readonly type: string;
}

/** For so long a destination that was served counts as served: what ended its state may be over, and otherwise visitors find out there. */
const servedMs = 600_000;

/** Hostnames that became primaries, or redirects, within the last minute, and those that were served until ten minutes ago. */
export interface RecentRedirects {
  readonly learn: (change: RedirectChange) => void;
  /** the redirect that a hostname had until it became a primary; null for none */
  readonly of: (domain: ProjectDomain) => Redirect | null;
  /** true for one that was a primary until it became a redirect */
  readonly wasPrimary: (domain: ProjectDomain) => boolean;
  /** true for one that was Live or Degraded until it was neither, and was not withdrawn */
  readonly wasServed: (domain: ProjectDomain) => boolean;
}

/** `elapsed`: monotonic milliseconds. */
export function createRecentRedirects(elapsed: () => number): RecentRedirects {
  const former = createBriefMemory<Redirect>(elapsed, rememberedMs);
  const primaries = createBriefMemory<true>(elapsed, rememberedMs);
  const served = createBriefMemory<true>(elapsed, servedMs);
  const learnRole = ({ object, previous, type }: RedirectChange) => {
    const uid = object.metadata.uid ?? '';
    const redirect = previous?.spec.role === 'Redirect' ? previous.spec.redirect : undefined;
    const isRedirect = object.spec.role === 'Redirect';
    if (type === 'deleted' || isRedirect) former.forget(uid);
    else if (redirect) former.remember(uid, redirect);
    if (type === 'deleted' || !isRedirect) primaries.forget(uid);
    else if (previous && previous.spec.role !== 'Redirect') primaries.remember(uid, true);
  };
  const learnState = ({ object, previous, type }: RedirectChange) => {
    const uid = object.metadata.uid ?? '';
    if (type === 'deleted' || isServed(object) || object.status?.state === 'Suspended') served.forget(uid);
    else if (previous && isServed(previous)) served.remember(uid, true);
  };
  return {
    learn(change) {
      learnRole(change);
      learnState(change);
    },
    of: ({ metadata }) => former.recall(metadata.uid ?? '') ?? null,
    wasServed: ({ metadata }) => served.recall(metadata.uid ?? '') ?? false,
    wasPrimary: ({ metadata }) => primaries.recall(metadata.uid ?? '') ?? false,
  };
}

/** Keeps a value of each object for as long as it counts; however many there are, remembering one more costs the same. */
function createBriefMemory<T>(elapsed: () => number, countsMs: number) {
  /** in the order in which they end */
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  const forgetOld = () => {
    for (const [key, { until }] of kept) {
      if (until > elapsed()) return;
      kept.delete(key);
    }
  };
  return {
    remember(uid: string, value: T): void {
      forgetOld();
      kept.delete(uid);
      kept.set(uid, { value, until: elapsed() + countsMs });
    },
    forget(uid: string): void {
      kept.delete(uid);
      forgetOld();
    },
    recall(uid: string): T | undefined {
      const known = kept.get(uid);
      return known && known.until > elapsed() ? known.value : undefined;
    },
  };
}
