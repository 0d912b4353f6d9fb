import { AsyncLocalStorage } from 'node:async_hooks';

/** Number of writes by verb and resource, such as `patch projectdomains/status`. */
export type WriteCounts = Readonly<Record<string, number>>;

/** A finished request to the kube-apiserver, answered or not. */
interface AnsweredRequest {
  readonly verb: string;
  /** plural name, with its subresource */
  readonly resource: string;
  /** `2xx` to `5xx`, or `none` without an answer */
  readonly code: string;
}

/** Attributes writes to the reconcile that sent them, among many that run concurrently. */
export interface ReconcileWrites {
  /** Runs `work`; `counts()` returns what it has written so far. Resolves when the work has ended. */
  during<T>(work: (counts: () => WriteCounts) => Promise<T>): Promise<T>;
  /** Counts a request for the reconcile that sent it; ignores reads and requests outside of any reconcile. */
  note(request: AnsweredRequest): void;
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'dry-run']);

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
