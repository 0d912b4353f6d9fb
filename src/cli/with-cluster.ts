import { createCluster } from '../kubernetes/cluster-client.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Transport } from '../kubernetes/transport.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { explainRefusal } from './explain-refusal.ts';
import { CommandFailure } from './usage-errors.ts';
import type { ClusterChoice } from './choose-cluster.ts';
import { chooseCluster } from './choose-cluster.ts';

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
