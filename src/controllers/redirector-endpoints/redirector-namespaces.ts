import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { Caches } from '../needs.ts';

/** The namespaces whose routes lead to the redirector. */
export interface RedirectorNamespaces {
  readonly all: () => readonly string[];
  readonly has: (namespace: string) => boolean;
}

/** Every account's, where the redirector answers the challenges of their hostnames; otherwise those with a redirect or a published token. */
export function redirectorNamespaces(
  { domains, namespaces }: Pick<Caches, 'domains' | 'namespaces'>,
  issuer: IssuerRef,
): RedirectorNamespaces {
  if (isOrderedHere(issuer))
    return {
      all: () => [...namespaces.keys()].map(({ name }) => name),
      has: (name) => namespaces.has({ namespace: '', name }),
    };
  return {
    all: () => domains.indexValues('redirects'),
    has: (name) => domains.countByIndex('redirects', name) > 0,
  };
}
