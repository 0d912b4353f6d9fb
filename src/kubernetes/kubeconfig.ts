import type { KubeConfig } from '@kubernetes/client-node';
import { connectionOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { messageOf } from '../lib/error-serializer.ts';

/** One context of a kubeconfig; `hasCluster` and `hasUser` are false when the one it names does not exist. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly hasCluster: boolean;
  readonly hasUser: boolean;
}

/** The merged content of several kubeconfig files. */
export interface Kubeconfig {
  readonly contexts: readonly KubeconfigContext[];
  readonly currentContext: string | undefined;
  /** Rejects when the context's credentials cannot be read. */
  connect(context: string): Promise<Connection>;
}

/** A file that cannot be read as a kubeconfig. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/**
 * Merges the files by kubectl's rule: of two entries with the same name, the first one wins. Rejects with a
 * KubeconfigError. The library that reads them is imported on demand, as loading it takes most of a second.
 */
export async function readKubeconfigs(files: readonly string[]): Promise<Kubeconfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const read = files.map((file) => {
    const config = new KubeConfig();
    try {
      config.loadFromFile(file);
    } catch (error) {
      throw new KubeconfigError(`${file} is not a kubeconfig: ${firstLine(error)}`, { cause: error });
    }
    return config;
  });
  const merged = new KubeConfig();
  merged.loadFromOptions({
    clusters: firstByName(read.flatMap(({ clusters }) => clusters)),
    users: firstByName(read.flatMap(({ users }) => users)),
    contexts: firstByName(read.flatMap(({ contexts }) => contexts)),
    currentContext: read.map(({ currentContext }) => currentContext).find(Boolean),
  });
  return kubeconfigOf(merged);
}

function firstByName<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return entries.filter(({ name }, index) => entries.findIndex((entry) => entry.name === name) === index);
}

const kubeconfigOf = (config: KubeConfig): Kubeconfig => ({
  contexts: config.contexts.map(({ name, namespace, cluster, user }) => ({
    name,
    namespace,
    hasCluster: Boolean(config.getCluster(cluster)?.server),
    hasUser: config.getUser(user) !== null,
  })),
  currentContext: config.currentContext || undefined,
  connect(context) {
    config.setCurrentContext(context);
    return connectionOf(config, config.getCurrentCluster()?.server ?? '');
  },
});

/** The first line of the message; a YAML error continues with an excerpt of the file. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? '';
