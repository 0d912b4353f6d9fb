import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pki } from '../../dev/platform/pki.ts';
import type { Part } from '../../dev/platform/process.ts';
import { startPart } from '../../dev/platform/process.ts';
import type { VantagePointConfig } from '../../src/dns/vantage/vantage-point-config.ts';
import type { VantageConfig } from '../../src/vantage/config.ts';
import { freePort } from './redis.ts';
import { token } from './vantage.ts';

/** A vantage point as a process of its own, and how the operator's configuration names it. */
export interface VantageProcess {
  readonly part: Part;
  readonly point: VantagePointConfig;
  readonly tokenFile: string;
  readonly metricsAddress: string;
}

export interface VantageProcessOptions {
  readonly name: string;
  readonly dir: string;
  readonly pki: Pki;
  readonly root: string;
}

export async function startVantage({ name, dir, pki, root }: VantageProcessOptions): Promise<VantageProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const metricsAddress = `127.0.0.1:${metricsPort}`;
  const [serverTokens, clientToken] = [join(dir, `${name}.tokens`), join(dir, `${name}.token`)];
  for (const file of [serverTokens, clientToken]) writeFileSync(file, `${token}\n`);
  const config: VantageConfig = {
    listen: `127.0.0.1:${port}`,
    metricsAddress,
    tokenFile: serverTokens,
    tls: tlsOf(pki, name),
    roots: [`${root}:53`],
    resolvers: [],
    permittedRanges: ['127.0.0.0/8'],
    concurrentChecks: 64,
    lingerMs: 0,
  };
  const file = join(dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  const entry = join(import.meta.dirname, '../../src/vantage/main.ts');
  const ready = () =>
    fetch(`http://${metricsAddress}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  const args = ['--disable-warning=ExperimentalWarning', entry, '--config', file];
  const part = await startPart({ name, program: process.execPath, args, dir, ready });
  const point = { name, url: `https://localhost:${port}`, tokenFile: clientToken, caFile: pki.caFile };
  return { part, point, tokenFile: serverTokens, metricsAddress };
}

function tlsOf(pki: Pki, name: string): NonNullable<VantageConfig['tls']> {
  const { certFile, keyFile } = pki.issue(name, { commonName: name, san: 'DNS:localhost' });
  return { certFile, keyFile };
}
