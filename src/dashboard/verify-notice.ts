import { statusForCustomer } from '../use-cases/domain-view.ts';
import type { DomainView } from '../use-cases/domain-view.ts';
import type { Notice } from './notice.ts';
import type { DomainModel } from './view-models.ts';

/** Tells one status of a domain from another: what the page would say is the same where this is. */
export const statusKey = ({ state, reason }: Pick<DomainView, 'state' | 'reason'>): string => `${state} ${reason}`;

/** The query of the page that follows Verify: the version of the object that has the request, and the status before. */
export const askedQuery = (version: number, before: Pick<DomainView, 'state' | 'reason'>): string =>
  new URLSearchParams({ done: 'verify', since: String(version), was: statusKey(before) }).toString();

/**
 * What such a page says. The check that was asked for has ended where the object is as new as the request and nothing asked is left ahead; a
 * replica of the API server may know an older one. Null on any other page.
 */
export function verifyNotice(query: Readonly<Record<string, unknown>>, model: DomainModel): Notice | null {
  if (query.done !== 'verify') return null;
  const since = typeof query.since === 'string' && /^\d{1,20}$/.test(query.since) ? Number(query.since) : 0;
  const was = typeof query.was === 'string' ? query.was : '';
  const { checkedAt } = model.domain;
  const isOver = model.version >= since && !model.isVerifyAhead;
  if (!isOver || checkedAt === null) return { kind: 'checking', since, was };
  return { kind: 'checked', at: checkedAt, status: statusForCustomer(model), isSame: was === statusKey(model.domain) };
}
