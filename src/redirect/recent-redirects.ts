import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Redirect } from './decide-redirect.ts';

/** The ingress follows a change of role within seconds; until then requests still arrive here. */
const rememberedMs = 60_000;

interface RedirectChange {
  readonly object: ProjectDomain;
  readonly previous: ProjectDomain | undefined;
  readonly type: string;
}

/** Redirects of hostnames that became primaries within the last minute. */
export interface RecentRedirects {
  readonly learn: (change: RedirectChange) => void;
  readonly of: (domain: ProjectDomain) => Redirect | null;
}

/** `elapsed`: monotonic milliseconds. */
export function createRecentRedirects(elapsed: () => number): RecentRedirects {
  const former = new Map<string, { readonly redirect: Redirect; readonly until: number }>();
  return {
    learn({ object, previous, type }) {
      const uid = object.metadata.uid ?? '';
      const redirect = previous?.spec.role === 'Redirect' ? previous.spec.redirect : undefined;
      if (type === 'deleted' || object.spec.role === 'Redirect') former.delete(uid);
      else if (redirect) former.set(uid, { redirect, until: elapsed() + rememberedMs });
      for (const [key, { until }] of former) if (until <= elapsed()) former.delete(key);
    },
    of({ metadata }) {
      const known = former.get(metadata.uid ?? '');
      return known && known.until > elapsed() ? known.redirect : null;
    },
  };
}
