import { createServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
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
export const playTenant = (kubectl: Kubectl, namespace: string, name: string): Promise<Tenant> =>
  serveAsTenant(kubectl, { namespace, name, server: tenantServer(name) });

/** The same for a cluster whose Pods reach this machine at `address`. */
export const playTenantAt =
  (address: string) =>
  (kubectl: Kubectl, namespace: string, name: string): Promise<Tenant> =>
    serveTenantAt(address, kubectl, { namespace, name, server: tenantServer(name) });

function tenantServer(name: string): Server {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ tenant: name, host: request.headers.host, path: request.url }));
  });
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  return server;
}

export interface TenantService {
  readonly namespace: string;
  readonly name: string;
  /** an HTTP server that does not listen yet */
  readonly server: Server;
  /** what the Service says of its port, such as `kubernetes.io/h2c` */
  readonly appProtocol?: string;
  /** of the Service */
  readonly annotations?: Readonly<Record<string, string>>;
}

const servicePort = 8080;

/** Creates the Service, and listens where requests to it go. */
export async function serveAsTenant(kubectl: Kubectl, service: TenantService): Promise<Tenant> {
  const { namespace, name, server } = service;
  await kubectl.apply(serviceOf(service));
  const created = await kubectl.get<{ spec: { clusterIP: string } }>('service', name, namespace);
  const clusterIp = created?.spec.clusterIP ?? '';
  const podAddress = podAddressOf(clusterIp);
  const endOpen = openConnectionsOf(server);
  const pod = createTcpServer((socket) => void server.emit('connection', socket));
  await listen(server, clusterIp, servicePort);
  await listen(pod, podAddress, servicePort).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL') throw error;
  });
  return {
    becomeReady: () => kubectl.apply(endpointOf(service, podAddress, servicePort)).then(() => undefined),
    stop: () =>
      new Promise<void>((done) => {
        pod.close();
        server.close(() => done());
        endOpen();
      }),
  };
}

/** Creates the Service, and listens at an address of this machine that the cluster's Pods reach. */
export async function serveTenantAt(address: string, kubectl: Kubectl, service: TenantService): Promise<Tenant> {
  const { server } = service;
  await kubectl.apply(serviceOf(service));
  const endOpen = openConnectionsOf(server);
  await listen(server, address, 0);
  const { port } = server.address() as AddressInfo;
  return {
    becomeReady: () => kubectl.apply(endpointOf(service, address, port)).then(() => undefined),
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        endOpen();
      }),
  };
}

function serviceOf({ namespace, name, appProtocol, annotations = {} }: TenantService): object {
  const named = { name: 'http', port: servicePort, ...(appProtocol === undefined ? {} : { appProtocol }) };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, annotations }, spec: { ports: [named] } };
}

const endpointOf = ({ namespace, name, appProtocol }: TenantService, address: string, port: number): object => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: 'http', port, ...(appProtocol === undefined ? {} : { appProtocol }) }],
});

/** What ends the connections that the server has then. */
function openConnectionsOf(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => open.forEach((socket) => socket.destroy());
}

const listen = (server: Server, address: string, port: number): Promise<void> =>
  new Promise((done, fail) => server.once('error', fail).listen(port, address, () => done()));
