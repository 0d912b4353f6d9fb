import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createCluster } from '../kubernetes/cluster-client.ts';
import type { Connection } from '../kubernetes/connection.ts';
import type { Kubeconfig, KubeconfigContext } from '../kubernetes/kubeconfig.ts';
import { firstLine, KubeconfigError, readKubeconfigs } from '../kubernetes/kubeconfig.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Transport } from '../kubernetes/transport.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { explainRefusal } from './explain-refusal.ts';
import { CommandFailure, didYouMean } from './usage-errors.ts';

/** A connection to a cluster for one command. */
export interface ClusterSession {
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly namespace: string;
}

const fieldManager = 'projectdomain-cli';

/** Connects to the cluster for `act` and disconnects. Every error becomes a CommandFailure with a readable sentence. */
export async function withCluster<T>(where: ClusterChoice, act: (session: ClusterSession) => Promise<T>): Promise<T> {
  const { connection, context, namespace } = await chooseCluster(where);
  const transport = createTransport(connection);
  const cluster = createCluster(transport, fieldManager);
  try {
    return await act(Object.freeze({ cluster, transport, namespace }));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(explainRefusal(error, { server: connection.server, context }), { cause: error });
  } finally {
    await transport.close();
  }
}

/** Which cluster, user and namespace; what is not given is chosen as kubectl would. */
export interface ClusterChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

interface ChosenCluster {
  readonly connection: Connection;
  readonly context: string;
  readonly namespace: string;
}

/** Reads the kubeconfigs and chooses context and namespace. Rejects with a CommandFailure. */
async function chooseCluster(choice: ClusterChoice): Promise<ChosenCluster> {
  const config = await readAll(filesOf(choice.kubeconfig));
  const { name: context, namespace } = contextOf(config, choice.context);
  const connection = await config.connect(context).catch((error: unknown) => {
    throw new CommandFailure(`the credentials of context ${context} cannot be read: ${firstLine(error)}`);
  });
  return Object.freeze({ connection, context, namespace: choice.namespace || namespace || 'default' });
}

/** As kubectl does: the option, or the existing files of $KUBECONFIG, or the one in the home directory. */
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

async function readAll(files: readonly string[]): Promise<Kubeconfig> {
  try {
    return await readKubeconfigs(files);
  } catch (error) {
    if (error instanceof KubeconfigError) throw new CommandFailure(error.message);
    throw error;
  }
}

function contextOf({ contexts, currentContext }: Kubeconfig, given: string | undefined): KubeconfigContext {
  const names = contexts.map(({ name }) => name);
  const context = given ?? currentContext;
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'it has none';
  if (!context) throw new CommandFailure(`the kubeconfig has no current context; give one with --context: ${known}`);
  const found = contexts.find(({ name }) => name === context);
  if (!found)
    throw new CommandFailure(`the kubeconfig has no context ${context}: ${known}.${didYouMean(context, names)}`);
  if (!found.hasCluster)
    throw new CommandFailure(`context ${context} of the kubeconfig names a cluster that is not in it`);
  if (!found.hasUser) throw new CommandFailure(`context ${context} of the kubeconfig names a user that is not in it`);
  return found;
}
