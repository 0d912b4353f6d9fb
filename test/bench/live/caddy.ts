import { mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import { findTool } from '../../../dev/platform/tools.ts';

export interface CaddyOptions {
  /** loopback, on which it has ports 80 and 443 */
  readonly address: string;
  /** URL of the authority's directory */
  readonly directory: string;
  /** PEM that vouches for the authority's own HTTPS */
  readonly caFile: string;
}

/** Caddy with TLS on demand: a hostname's certificate is ordered by its first handshake. Every hostname is permitted. */
export async function startCaddy({ address, directory, caFile }: CaddyOptions): Promise<() => Promise<void>> {
  const program = await findTool('caddy', (line) => process.stderr.write(`${line}\n`));
  const dir = temporaryFolder('caddy');
  const permission = await startPermission();
  const { port } = permission.address() as AddressInfo;
  const issuer = { module: 'acme', ca: directory, trusted_roots_pem_files: [caFile] };
  const config = {
    admin: { disabled: true },
    storage: { module: 'file_system', root: join(dir, 'storage') },
    apps: {
      http: {
        servers: {
          secure: {
            listen: [`${address}:443`],
            routes: [{ handle: [{ handler: 'static_response', status_code: 200, body: 'caddy' }] }],
            tls_connection_policies: [{}],
          },
          plain: { listen: [`${address}:80`] },
        },
      },
      tls: {
        automation: {
          on_demand: { permission: { module: 'http', endpoint: `http://127.0.0.1:${port}/` } },
          policies: [{ on_demand: true, issuers: [issuer] }],
        },
      },
    },
  };
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'caddy.json');
  writeFileSync(file, JSON.stringify(config));
  const part: Part = await startPart({
    name: 'caddy',
    program,
    dir,
    args: ['run', '--config', file],
    env: { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    ready: async () => (await fetch(`http://${address}/`, { redirect: 'manual' })).status > 0,
  });
  return async () => {
    await part.stop();
    permission.close();
  };
}

async function startPermission(): Promise<Server> {
  const server = createServer((_, response) => void response.writeHead(200).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
