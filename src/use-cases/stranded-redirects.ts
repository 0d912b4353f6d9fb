import type { DomainHead } from '../rules/domain-head.ts';

/** Redirects whose destination is removed, and that stay themselves. */
export interface Stranded {
  readonly count: number;
  /** the first of them by name */
  readonly named: readonly string[];
}

/** A page names so many, and counts the others: a destination may have thousands. */
const namedAtMost = 5;

const none: Stranded = Object.freeze({ count: 0, named: [] });

/** By each hostname that is removed, the redirects of its project that lose it; `all` are the project's domains. */
export function strandedBy(
  all: readonly Pick<DomainHead, 'spec'>[],
  removed: readonly string[],
): (hostname: string) => Stranded {
  const going = new Set(removed);
  const lost = new Map<string, string[]>();
  for (const { spec } of all) {
    const to = spec.redirect?.to;
    if (to === undefined || !going.has(to) || going.has(spec.hostname)) continue;
    const known = lost.get(to);
    if (known) known.push(spec.hostname);
    else lost.set(to, [spec.hostname]);
  }
  return (hostname) => {
    const hostnames = lost.get(hostname);
    return hostnames ? { count: hostnames.length, named: hostnames.toSorted().slice(0, namedAtMost) } : none;
  };
}
