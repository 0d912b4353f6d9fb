import { busyFactor, eventually } from '../lib/eventually.ts';
import { lateCollection, outputOf } from '../lib/output.ts';

/** kubectl against one platform: the demo and the tests act as its users do. */
export interface Kubectl {
  /** Runs it; resolves to stdout. Rejects with what it printed on stderr. `input` goes to stdin. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Rejects with all refusals once all objects were tried. */
  apply(...objects: readonly object[]): Promise<void>;
  /** One object, or null when there is none. */
  get<T = Record<string, unknown>>(kind: string, name: string, namespace?: string): Promise<T | null>;
  /** Resolves when every definition is established. */
  untilEstablished(): Promise<void>;
}

/** A bound on a hang: an apply of two hundred objects takes a minute where others have the processors. */
const deadlineMs = 60_000;
const establishedWithinMs = 120_000;

export function createKubectl(program: string, kubeconfig: string): Kubectl {
  // Beside the kubeconfig: what another platform at the same address served must not be remembered.
  const cache = `${kubeconfig}.cache`;
  const run = (args: readonly string[], input = ''): Promise<string> =>
    outputOf(program, ['--kubeconfig', kubeconfig, '--cache-dir', cache, ...args], {
      input,
      timeout: deadlineMs * busyFactor,
      env: { ...process.env, ...lateCollection },
    });
  return {
    run,
    async apply(...objects) {
      await run(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    },
    async get<T>(kind: string, name: string, namespace?: string) {
      const scope = namespace === undefined ? [] : ['-n', namespace];
      const text = await run(['get', kind, name, ...scope, '-o', 'json', '--ignore-not-found']);
      return text.trim() === '' ? null : (JSON.parse(text) as T);
    },
    // kubectl ends at once with "accessor error" where a definition is so new that it has no conditions yet.
    async untilEstablished() {
      const wait = ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=10s'];
      await eventually('every definition is established', establishedWithinMs, () => run(wait));
    },
  };
}
