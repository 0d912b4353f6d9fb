import type { X509Certificate } from 'node:crypto';
import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Plan } from '../generated/plan.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Cache, Cluster, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { Namespace } from '../resources/kubernetes-types.ts';
import type { RecordValues } from '../rules/dns-target.ts';
import type { Limits } from '../rules/plan-limits.ts';
import type { Decision, Limiter } from '../quota/quota-port.ts';
import type { Cursors } from './cursors.ts';
import type { BulkTurns } from './bulk/bulk-turns.ts';
import type { StreamSlots } from './event-streams.ts';
import type { DomainOrders } from './domain-orders.ts';
import type { HandoverLinks } from './handover-links-port.ts';
import type { ListedHead } from './listed-head.ts';
import type { Lookups } from './lookup-queue.ts';
import type { FairQueue } from './fair-queue.ts';
import type { IfMatch } from './precondition.ts';
import type { RememberedViews } from './remembered-views.ts';
import type { Writes } from './writes/writes.ts';

/** A cache whose changes can be subscribed to. */
export interface LiveCache<T extends KubernetesObject, Head = T> extends Cache<T, Head> {
  /**
   * Calls the listener on every change of one object, whether or not it exists yet. Returns the unsubscribe function.
   */
  subscribeTo(key: ObjectKey, listener: () => void): () => void;
  /**
   * Calls the listener on every change of an object that has, or had until that change, this value in an index. Returns
   * the unsubscribe function.
   */
  subscribeUnder(
    index: string,
    value: string,
    listener: (change: { readonly object: T; readonly type: string }) => void,
  ): () => void;
}

export interface ApiCaches {
  readonly plans: Cache<Plan>;
  readonly accounts: Cache<Account>;
  /** index `account`: value of the account label */
  readonly namespaces: Cache<Namespace>;
  /** index `namespace` */
  readonly projects: LiveCache<Project>;
  /** indexes `namespace`; `project`: namespace/name; `place`: namespace/hostname */
  readonly domains: LiveCache<ProjectDomain, ListedHead>;
  readonly claims: LiveCache<HostnameClaim>;
  /** indexes `keyId` and `account` */
  readonly apiKeys: LiveCache<ApiKey>;
}

interface ApiSettings {
  readonly platformDomain: string;
  readonly cnameDomain: string;
  readonly requireTxt: boolean;
  /** the zone in which challenges of prepared hostnames are answered; null where hostnames cannot be prepared */
  readonly challengeZone: string | null;
  /** wildcards are served */
  readonly wildcards: boolean;
  /** derives targets and ownership values */
  readonly records: RecordValues;
}

/** Everything outside the process's own logic that a use case uses. */
export interface ApiDependencies {
  readonly caches: ApiCaches;
  readonly cluster: Cluster;
  /** writes to the cluster queue here for their turn */
  readonly writes: Writes;
  /** limits how many event streams are open */
  readonly streams: StreamSlots;
  /** seals where a page of a list ended */
  readonly cursors: Cursors;
  /** what lists of domains are pages of */
  readonly orders: DomainOrders;
  /** what was listed lately */
  readonly views: RememberedViews;
  /** lists of more than that queue here for their turn */
  readonly longLists: Pick<FairQueue, 'run'>;
  /** calls with many items queue here for their turn */
  readonly bulks: BulkTurns;
  /** looks hostnames up in DNS */
  readonly lookups: Lookups;
  /** links by which the records of a domain are handed over */
  readonly handoverLinks: HandoverLinks;
  /** whether a root that browsers know signed a certificate */
  readonly isIssuedByPublicRoot: (certificate: X509Certificate) => boolean;
  readonly settings: ApiSettings;
  readonly limiter: Limiter;
  /** called with what a limit that is tried out on a plan said of a request */
  readonly shadowed: (caller: Caller, decision: Decision) => void;
  /** between two DNS checks of a served domain, milliseconds */
  readonly driftInterval: () => number;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
  /** a whole number in [0, n), fit for secrets */
  readonly random: (below: number) => number;
  /** aborts when the server stops: whatever is waiting responds with what it has so far */
  readonly stopping: AbortSignal;
}

/** The authenticated caller: a valid key, its account and the account's limits. */
export interface Caller {
  readonly apiKey: ApiKey;
  readonly account: Account;
  readonly limits: Limits;
  /** a limit that is tried out on the account's plan; null for none */
  readonly shadow: Limits['rateLimit'] | null;
}

/** Who asks, and what there is to answer with. */
export interface CallerContext {
  readonly dependencies: ApiDependencies;
  readonly caller: Caller;
}

/** The context of one request whose key and quota were already checked. */
export interface RequestContext extends CallerContext {
  /** aborts when the client disconnects or the server stops */
  readonly signal: AbortSignal;
  /** whatever is changed or deleted has to be of such a version; absent: of any */
  readonly ifMatch?: IfMatch;
}
