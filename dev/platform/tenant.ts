import { createServer } from 'node:http';
import type { Kubectl } from './kubectl.ts';

/** A customer's web server, listening on its Service's cluster IP. */
export interface Tenant {
  /** Tells the cluster that the Service has a ready endpoint, as a running Pod would. */
  becomeReady(): Promise<void>;
  stop(): Promise<void>;
}

/** What the cluster is told of the Pods of customers' web servers. */
export const tenantPodAddress = '192.0.2.10';

/**
 * Creates the Service and answers on it; every answer names the project, the host and the path it was asked for. An upgraded connection is
 * sent back what it sends.
 */
export async function playTenant(kubectl: Kubectl, namespace: string, name: string): Promise<Tenant> {
  const port = 8080;
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ports: [{ name: 'http', port }] },
  });
  const service = await kubectl.get<{ spec: { clusterIP: string } }>('service', name, namespace);
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ tenant: name, host: request.headers.host, path: request.url }));
  });
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, service?.spec.clusterIP, done));
  return {
    becomeReady: async () => {
      await kubectl.apply({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [tenantPodAddress], conditions: { ready: true } }],
        ports: [{ name: 'http', port }],
      });
    },
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
