import { AsyncLocalStorage } from 'node:async_hooks';

/** How often each thing was written, by verb and resource: `patch projectdomains/status`. */
export type WriteCounts = Readonly<Record<string, number>>;

/** A request to the kube-apiserver that was answered, or not. */
interface AnsweredRequest {
  readonly verb: string;
  /** plural name, with its subresource */
  readonly resource: string;
  /** `2xx` to `5xx`, or `none` where there was no answer */
  readonly code: string;
}

/** Finds out what each of many reconciles that run side by side has written. */
export interface ReconcileWrites {
  /** Resolves when the work has ended; what it writes is counted in `counts()` from its beginning on. */
  during<T>(work: (counts: () => WriteCounts) => Promise<T>): Promise<T>;
  /** Counts a request with the reconcile that sent it; reads, and requests of no reconcile, are left out. */
  note(request: AnsweredRequest): void;
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export function createReconcileWrites(): ReconcileWrites {
  const current = new AsyncLocalStorage<Map<string, number>>();
  return {
    during(work) {
      const counted = new Map<string, number>();
      return current.run(counted, () => work(() => Object.fromEntries(counted)));
    },
    note({ verb, resource, code }) {
      const counted = current.getStore();
      if (!counted || reads.has(verb)) return;
      const write = code === '2xx' ? `${verb} ${resource}` : `${verb} ${resource}: ${code}`;
      counted.set(write, (counted.get(write) ?? 0) + 1);
    },
  };
}
