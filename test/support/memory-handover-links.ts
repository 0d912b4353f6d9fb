import { linkTokens, placeOf } from '../../src/dashboard/links/redis-handover-links.ts';
import type { HandoverLink, HandoverLinks } from '../../src/use-cases/handover-links-port.ts';
import { HandoverLinksUnavailable, linksPerDomain } from '../../src/use-cases/handover-links-port.ts';

/** Hand-over links in memory, by the rules of the store in Redis; away when it is told to be. */
export interface MemoryHandoverLinks extends HandoverLinks {
  /** Every call rejects from now on, or no more. */
  beAway(isAway: boolean): void;
}

export function createMemoryHandoverLinks(now: () => number): MemoryHandoverLinks {
  const tokens = linkTokens(Buffer.alloc(32, 1));
  const links = new Map<string, HandoverLink>();
  let isGone = false;
  const ask = <T>(work: () => T): Promise<T> =>
    isGone ? Promise.reject(new HandoverLinksUnavailable('scripted')) : Promise.resolve(work());
  const of = (uid: string) => [...links.values()].filter((link) => link.uid === uid && link.expires > now());
  return {
    beAway: (isAway) => void (isGone = isAway),
    create: (content, secret) =>
      ask(() => {
        const { id, token } = tokens.make(placeOf(content.uid), secret);
        if (of(content.uid).filter((other) => other.id !== id).length >= linksPerDomain) return null;
        const link = Object.freeze({ ...content, id });
        links.set(id, link);
        return { link, token };
      }),
    find: (token) =>
      ask(() => {
        const link = links.get(tokens.read(token)?.id ?? '');
        return link && link.expires > now() ? link : null;
      }),
    list: (uid) => ask(() => of(uid)),
    revoke: (uid, id) => ask(() => links.get(id)?.uid === uid && links.delete(id)),
  };
}
