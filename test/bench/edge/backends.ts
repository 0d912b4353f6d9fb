import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Server } from 'node:net';
import { podAddressOf } from '../../../dev/platform/address.ts';
import { backendPort } from './edge-objects.ts';

/** Web servers of very many customers. */
export interface Backends {
  /** Answers with a name at a cluster IP, and at its Pod's address where that is this machine's. */
  listen(clusterIp: string, name: string): Promise<void>;
  stop(): void;
}

/** All in this process: each answers with its name. */
export function playBackends(): Backends {
  const servers: Server[] = [];
  return {
    async listen(clusterIp, name) {
      // An edge that keeps connections for each hostname would keep very many, and a request that crosses a connection's end fails.
      const server = createServer((_, response) => response.setHeader('connection', 'close').end(name));
      const pod = createTcpServer((socket) => void server.emit('connection', socket));
      servers.push(server, pod);
      await listenAt(server, clusterIp);
      await listenAt(pod, podAddressOf(clusterIp)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRNOTAVAIL') throw error;
      });
    },
    stop() {
      for (const server of servers) server.close();
    },
  };
}

const listenAt = (server: Server, address: string): Promise<void> =>
  new Promise((done, fail) => server.once('error', fail).listen(backendPort, address, () => done()));
