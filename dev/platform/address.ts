import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** A platform's own corner of the network. Ports 53, 80 and 443 of `address` are its own. */
export interface Corner {
  readonly address: string;
  /** where its customers' zones are served */
  readonly zoneAddress: string;
  /** of loopback, for what only this machine may reach */
  readonly controlAddress: string;
  /** the cluster IPs of its Services */
  readonly serviceRange: string;
  readonly firstServiceAddress: string;
  release(): void;
}

/** A corner with a node in it: a network of its own behind a pair of virtual links. */
export interface NodeCorner extends Corner {
  /** name of the link's end on this side */
  readonly link: string;
  readonly nodeAddress: string;
  readonly podRange: string;
  /** everything the node and its Pods have as addresses, and this side of the link */
  readonly networks: readonly string[];
  /** name of the control group that holds its Pods */
  readonly cgroup: string;
}

/** Of a corner of loopback: where a second edge serves hostnames. */
export const secondEdgeAddress = ({ address }: Pick<Corner, 'address'>): string => address.replace(/\d+$/, '4');

/**
 * The address by which a cluster is told of a Pod that would listen at this address of loopback, which Kubernetes takes for no Pod. The range is
 * nobody's (240.0.0.0/4), so it leads nowhere, unless an edge makes it this machine's (pods.ts).
 */
export const podAddressOf = (address: string): string => address.replace(/^127\./, '240.');

const claimPort = 1;
const corners = 100;

/** Takes the first free corner of loopback. All of 127.0.0.0/8 is local on Linux, cluster IPs too. */
export async function takeCorner(): Promise<Corner> {
  const { n, address, release } = await claim();
  return {
    address,
    zoneAddress: `127.77.${n}.2`,
    controlAddress: address,
    serviceRange: `127.${100 + n}.0.0/16`,
    firstServiceAddress: `127.${100 + n}.0.1`,
    release,
  };
}

/** Takes a corner for a platform with a node. Its addresses exist once the node's link does. */
export async function takeNodeCorner(): Promise<NodeCorner> {
  const { n, address, release } = await claim();
  const podRange = `10.78.${n}.0/24`;
  const serviceRange = `10.79.${n}.0/24`;
  return {
    address: `10.77.${n}.1`,
    zoneAddress: `10.77.${n}.2`,
    controlAddress: address,
    serviceRange,
    firstServiceAddress: `10.79.${n}.1`,
    link: `projectdomain${n}`.slice(-15),
    nodeAddress: `10.77.${n}.10`,
    podRange,
    networks: [`10.77.${n}.0/24`, podRange, serviceRange],
    cgroup: `projectdomain-${n}`,
    release,
  };
}

/** The claim is a port that is held: it ends with this process, however it ends. */
async function claim(): Promise<{ n: number; address: string; release: () => void }> {
  for (let n = 1; n <= corners; n += 1) {
    const address = `127.77.${n}.1`;
    const server = await tryListen(address);
    if (server) return { n, address, release: () => server.close() };
  }
  throw new Error('no free corner of loopback: a hundred platforms are running');
}

function tryListen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else
        reject(error.code === 'EACCES' ? new Error('the platform listens on ports below 1024: run it as root') : error);
    });
    server.listen(claimPort, address, () => {
      server.unref();
      resolve(server);
    });
  });
}
