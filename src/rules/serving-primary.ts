import type { DomainHead } from './domain-head.ts';
import { isServed } from './domain-state.ts';
import { isWildcard } from './wildcard.ts';

/** What a domain says of its role: of a whole ProjectDomain or of its head. */
type Served = Pick<DomainHead, 'spec' | 'status'>;

/** A domain that is, or asks to be, its project's primary. Wildcards are served beside it. */
export const isPrimary = ({ spec }: Pick<DomainHead, 'spec'>): boolean =>
  spec.role !== 'Redirect' && !isWildcard(spec.hostname);

/** True for the primary that visitors get: it was accepted as one, and is served. One that only asks to be a primary, by its spec, is not. */
export const servesAsPrimary = (domain: Served): boolean =>
  isPrimary(domain) && domain.status?.servedAs?.role === 'Primary' && isServed(domain);
