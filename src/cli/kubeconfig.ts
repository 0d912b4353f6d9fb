import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from '../kubernetes/connection.ts';
import { connectionOf } from '../kubernetes/connection.ts';
import { CommandFailure } from './command-failure.ts';
import { didYouMean } from './did-you-mean.ts';

/** Which cluster, as whom and where in it; what is not given is chosen as kubectl chooses it. */
export interface Where {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

/** What a kubeconfig says. */
export interface Chosen {
  readonly connection: Connection;
  readonly context: string;
  readonly namespace: string;
}

/** Reads the kubeconfigs and chooses context and namespace. Throws Failure. */
export async function choose(where: Where): Promise<Chosen> {
  const config = await readAll(filesOf(where.kubeconfig));
  const context = contextOf(config, where.context);
  config.setCurrentContext(context);
  const inContext = config.getContextObject(context)?.namespace;
  const connection = await connectionIn(config, context);
  return Object.freeze({ connection, context, namespace: where.namespace || inContext || 'default' });
}

/** As kubectl: the option, or the files of $KUBECONFIG that exist, or the one in the home folder. */
function filesOf(given: string | undefined): readonly string[] {
  if (given !== undefined) {
    if (existsSync(given)) return [given];
    throw new CommandFailure(`there is no kubeconfig ${given}; give the path of one with --kubeconfig`);
  }
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter(Boolean);
  const wanted = listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
  const files = wanted.filter((file) => existsSync(file));
  if (files.length > 0) return files;
  const why = listed.length > 0 ? `$KUBECONFIG names ${wanted.join(' and ')}` : `$KUBECONFIG is not set`;
  throw new CommandFailure(
    `there is no kubeconfig: ${why}${listed.length > 0 ? ', which is not there' : ''}; give one with --kubeconfig FILE`,
  );
}

/** Several files are one; of two entries with one name the first counts (kubectl's rule). */
async function readAll(files: readonly string[]): Promise<KubeConfig> {
  // Loaded only when a cluster is spoken to: it costs most of a second.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const read = files.map((file) => {
    const config = new KubeConfig();
    try {
      config.loadFromFile(file);
    } catch (error) {
      throw new CommandFailure(`${file} is no kubeconfig: ${complaint(error)}`);
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
  return merged;
}

function firstByName<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return entries.filter(({ name }, index) => entries.findIndex((entry) => entry.name === name) === index);
}

function contextOf(config: KubeConfig, given: string | undefined): string {
  const names = config.contexts.map(({ name }) => name);
  const context = given ?? config.currentContext;
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'it has none';
  if (!context) throw new CommandFailure(`the kubeconfig has no current context; give one with --context: ${known}`);
  if (!names.includes(context)) {
    throw new CommandFailure(`the kubeconfig has no context ${context}: ${known}.${didYouMean(context, names)}`);
  }
  return context;
}

function connectionIn(config: KubeConfig, context: string): Promise<Connection> {
  const cluster = config.getCurrentCluster();
  if (!cluster?.server)
    throw new CommandFailure(`context ${context} of the kubeconfig names a cluster that is not in it`);
  if (!config.getCurrentUser())
    throw new CommandFailure(`context ${context} of the kubeconfig names a user that is not in it`);
  return connectionOf(config, cluster.server).catch((error: unknown) => {
    throw new CommandFailure(`the credentials of context ${context} cannot be read: ${complaint(error)}`);
  });
}

/** The first line says it; what follows is a drawing of the place. */
const complaint = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
