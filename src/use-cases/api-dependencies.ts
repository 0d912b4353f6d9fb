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
import type { Limiter } from '../quota/quota-port.ts';
import type { StreamSlots } from './event-streams.ts';
import type { Writes } from './writes/writes.ts';

/** A cache that also tells of its changes. */
export interface LiveCache<T extends KubernetesObject> extends Cache<T> {
  /** Tells of every change of one object, present or not. Returns the function that ends it. */
  subscribeTo(key: ObjectKey, listener: () => void): () => void;
  /** Tells of every change of the objects that are, or were until then, under this value of an index. Returns the same. */
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
  readonly domains: LiveCache<ProjectDomain>;
  readonly claims: LiveCache<HostnameClaim>;
  /** indexes `keyId` and `account` */
  readonly apiKeys: LiveCache<ApiKey>;
}

interface ApiSettings {
  readonly platformDomain: string;
  readonly cnameDomain: string;
  readonly requireTxt: boolean;
  /** draws targets and ownership values */
  readonly records: RecordValues;
}

/** Everything outside that a use case touches. */
export interface ApiDependencies {
  readonly caches: ApiCaches;
  readonly cluster: Cluster;
  /** changes that requests ask for take their turn here before they go to the cluster */
  readonly writes: Writes;
  /** event streams take a place here while they are open */
  readonly streams: StreamSlots;
  readonly settings: ApiSettings;
  readonly limiter: Limiter;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
  /** a whole number in [0, n), fit for secrets */
  readonly random: (below: number) => number;
  /** aborts when the server stops: whatever waits answers what it has */
  readonly stopping: AbortSignal;
}

/** Who asks: a key that is valid, and what its account may do. */
export interface Caller {
  readonly apiKey: ApiKey;
  readonly account: Account;
  readonly limits: Limits;
}

/** Who asks for something and until when anybody waits for it: key and quota were found right. */
export interface RequestContext {
  readonly dependencies: ApiDependencies;
  readonly caller: Caller;
  /** aborts when the client goes away or the server stops */
  readonly signal: AbortSignal;
}
