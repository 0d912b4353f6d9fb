import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startPart } from '../../dev/platform/process.ts';
import { findTool } from '../../dev/platform/tools.ts';
import type { TestProxy } from './authorize-proxies.ts';
import { freePort } from './redis.ts';

interface Rewriting {
  /** where it sends to; its host is what the Host header says there */
  readonly to: string;
  /** a folder of its own */
  readonly dir: string;
}

/** Traefik that does not pass on the Host of its clients (passHostHeader). */
export async function startHostRewritingProxy({ to, dir }: Rewriting): Promise<TestProxy> {
  const [program, port] = [
    await findTool('traefik', (line) => void process.stderr.write(`${line}\n`)),
    await freePort(),
  ];
  const file = join(dir, 'dynamic.yaml');
  const http = {
    routers: { all: { rule: 'PathPrefix(`/`)', service: 'dashboard' } },
    services: { dashboard: { loadBalancer: { passHostHeader: false, servers: [{ url: to }] } } },
  };
  writeFileSync(file, stringify({ http }));
  const args = [
    '--global.checknewversion=false',
    '--global.sendanonymoususage=false',
    `--entrypoints.web.address=127.0.0.1:${port}`,
    `--providers.file.filename=${file}`,
    '--log.level=ERROR',
  ];
  // It may listen before it has read its routes.
  const ready = async () =>
    (await fetch(`http://127.0.0.1:${port}/dashboard/sign-in`, { signal: AbortSignal.timeout(1_000) })).ok;
  const part = await startPart({ name: 'traefik', program, dir, args, ready });
  return { port, stop: () => part.stop() };
}
