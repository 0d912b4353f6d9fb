import { createServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { podAddressOf } from './address.ts';
import type { Kubectl } from './kubectl.ts';

/** A customer's web server, listening on its Service's cluster IP, and at its Pod's address where that is this machine's. */
export interface Tenant {
  /** Tells the cluster that the Service has a ready endpoint, as a running Pod would. */
  becomeReady(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the Service and answers on it; every answer names the project, the host and the path it was asked for. An upgraded connection is
 * sent back what it sends.
 */
export function playTenant(kubectl: Kubectl, namespace: string, name: string): Promise<Tenant> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ tenant: name, host: request.headers.host, path: request.url }));
  });
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  return serveAsTenant(kubectl, { namespace, name, server });
}

export interface TenantService {
  readonly namespace: string;
  readonly name: string;
  /** an HTTP server that does not listen yet */
  readonly server: Server;
  /** what the Service says of its port, such as `kubernetes.io/h2c` */
  readonly appProtocol?: string;
}

/** Creates the Service, and listens where requests to it go. */
export async function serveAsTenant(kubectl: Kubectl, service: TenantService): Promise<Tenant> {
  const port = 8080;
  const { namespace, name, server, appProtocol } = service;
  const named = { name: 'http', port, ...(appProtocol === undefined ? {} : { appProtocol }) };
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ports: [named] },
  });
  const created = await kubectl.get<{ spec: { clusterIP: string } }>('service', name, namespace);
  const clusterIp = created?.spec.clusterIP ?? '';
  const podAddress = podAddressOf(clusterIp);
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const pod = createTcpServer((socket) => void server.emit('connection', socket));
  await listen(server, clusterIp, port);
  await listen(pod, podAddress, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL') throw error;
  });
  return {
    becomeReady: async () => {
      await kubectl.apply({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [podAddress], conditions: { ready: true } }],
        ports: [{ name: 'http', port, ...(appProtocol === undefined ? {} : { appProtocol }) }],
      });
    },
    stop: () =>
      new Promise<void>((done) => {
        pod.close();
        server.close(() => done());
        for (const socket of open) socket.destroy();
      }),
  };
}

const listen = (server: Server, address: string, port: number): Promise<void> =>
  new Promise((done, fail) => server.once('error', fail).listen(port, address, () => done()));
