import type { ReconcileResult } from '../controller-runtime/actions.ts';
import { parseKey } from '../kubernetes/object-keys.ts';
import type { Caches, CommonNeeds } from './needs.ts';

/** How many reconciles run at a time, by controller: they wait for DNS and the kube-apiserver more than for the processor. */
export interface WorkerSettings {
  readonly account: number;
  readonly redirectorEndpoints: number;
  readonly project: number;
  readonly projectDomain: number;
  readonly hostnameClaim: number;
  readonly acmeOrder: number;
  readonly apiKey: number;
  readonly orphan: number;
}

/** What the operator runs, and what it needs for that. Each stands beside its reconciler, and controllers.ts lists them. */
export interface Controller<Needs extends CommonNeeds = CommonNeeds> {
  /** how many reconciles run at a time; of one that reconciles a key a second a second worker would have nothing to do */
  readonly workers: (settings: WorkerSettings) => number;
  /** the share of the workers that a key's reconciles count against, and so mostly an account */
  readonly shareOf: (key: string, caches: Pick<Caches, 'claims' | 'apiKeys'>) => string;
  /** never swept at low priority */
  readonly isUrgent?: true;
  /** keys are names of customers' keys, which traces do not name */
  readonly hasSecretKeys?: true;
  /** `isScheduled`: nothing happened to the key since its last reconcile, only its time came */
  readonly reconcile: (
    needs: Needs,
    key: string,
    signal: AbortSignal,
    isScheduled: boolean,
  ) => Promise<ReconcileResult>;
}

export const one = (): number => 1;
/** Each key is a share of its own. */
export const itself = (key: string): string => key;
export const byNamespace = (key: string): string => parseKey(key).namespace;
/** Of a hostname: the namespace of whoever holds it. */
export const byHolder = (hostname: string, { claims }: Pick<Caches, 'claims'>): string =>
  claims.get(parseKey(hostname))?.spec.holder.namespace ?? '';
