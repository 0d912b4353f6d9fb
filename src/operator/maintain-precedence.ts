import type { Account } from '../generated/account.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { Store, StoreEvent } from '../kubernetes/store.ts';
import { accountLabel } from '../resources/object-metadata.ts';
import type { Namespace } from '../resources/kubernetes-types.ts';
import type { AccountHead } from '../controllers/kept-fields.ts';
import { accountOf } from '../controllers/account-lookup.ts';
import type { Change, PrecedenceIndex } from '../controllers/precedence-index.ts';
import { createPrecedenceIndex } from '../controllers/precedence-index.ts';
import { claimKey } from '../rules/claim-name.ts';

interface Ranked {
  readonly accounts: Store<Account, AccountHead>;
  /** index `account` */
  readonly namespaces: Store<Namespace>;
  /** indexes `namespace`, `project` and `hostname` */
  readonly domains: Store<ProjectDomain, DomainHead>;
  readonly claims: Store<HostnameClaim, unknown>;
}

/** A precedence index that is updated with every change of the stores. */
export function maintainPrecedence(stores: Ranked): PrecedenceIndex {
  const { accounts, namespaces, domains, claims } = stores;
  const precedence = createPrecedenceIndex({
    domainsOf: ({ index, value }) => domains.byIndex(index, value),
    domainAt: (key) => domains.headOf(key),
    domainsIn: (namespace) => domains.byIndex('namespace', namespace),
    accountOf: (namespace) => accountOf(stores, namespace)?.spec.id,
    claimOf: (hostname) => claims.get(claimKey(hostname)),
  });
  domains.subscribe((event) => precedence.domainChanged(changeOf(event)));
  claims.subscribe((event) => precedence.claimChanged(changeOf(event)));
  accounts.subscribe(({ type, object, previous }) => {
    if (type === 'modified' && object.spec.id === previous?.spec.id) return;
    for (const { name } of namespaces.keysByIndex('account', object.metadata.name)) {
      precedence.accountChanged(name);
    }
  });
  namespaces.subscribe(({ type, object, previous }) => {
    if (type !== 'modified' || ownerOf(object) !== ownerOf(previous)) precedence.accountChanged(object.metadata.name);
  });
  return precedence;
}

const changeOf = <T>({ type, object, previous }: StoreEvent<T>): Change<T> =>
  type === 'deleted' ? { before: object, after: undefined } : { before: previous, after: object };

const ownerOf = (namespace: Namespace | undefined): string | undefined => namespace?.metadata.labels?.[accountLabel];
