import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** A platform's own corner of loopback. Ports 53, 80 and 443 of `address` are its own. */
export interface Corner {
  readonly address: string;
  /** where its customers' zones are served */
  readonly zoneAddress: string;
  /** the cluster IPs of its Services: local without any configuration, as all of 127.0.0.0/8 is on Linux */
  readonly serviceRange: string;
  release(): void;
}

const claimPort = 1;
const corners = 100;

/** Takes the first free corner by holding a port in it: the claim ends with this process, however it ends. */
export async function takeCorner(): Promise<Corner> {
  for (let n = 1; n <= corners; n += 1) {
    const address = `127.77.${n}.1`;
    const server = await tryListen(address);
    if (!server) continue;
    return {
      address,
      zoneAddress: `127.77.${n}.2`,
      serviceRange: `127.${100 + n}.0.0/16`,
      release: () => server.close(),
    };
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
