import net from 'node:net';

/**
 * Loaded before a process of ours (`--import`), this plays the part of a cluster's network: addresses of Pods, which may not be on
 * loopback in Kubernetes, lead to where the Pod's process listens. POD_ADDRESSES is JSON: `{"240.77.1.20:8080": "127.77.1.1:8085"}`.
 */

interface Destination {
  host?: string;
  port?: number | string;
}

const routes = new Map(Object.entries(JSON.parse(process.env.POD_ADDRESSES ?? '{}') as Record<string, string>));

function route(destination: Destination): void {
  const [host, port] = routes.get(`${destination.host}:${destination.port}`)?.split(':') ?? [];
  if (host === undefined) return;
  destination.host = host;
  destination.port = Number(port);
}

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

const connect = Reflect.get(net.Socket.prototype, 'connect') as Connect;

/** Node.js hands over its options by themselves, or as the first of an array. */
function connectRouted(this: net.Socket, ...args: unknown[]): net.Socket {
  const [first] = args;
  const options: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof options === 'object' && options !== null) route(options);
  return connect.apply(this, args);
}

Reflect.set(net.Socket.prototype, 'connect', connectRouted);
