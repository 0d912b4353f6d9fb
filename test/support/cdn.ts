import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDebian } from '../../dev/platform/debian.ts';
import { createPki } from '../../dev/platform/pki.ts';
import type { Part } from '../../dev/platform/process.ts';
import { startPart } from '../../dev/platform/process.ts';

/** What a CDN does with requests: lead them to the origin, answer on its own, or keep everybody out. */
type CdnMode = 'origin' | 'parked' | 'forbidden';

export interface TestCdn {
  readonly address: string;
  /** authority of the CDN's own certificate, PEM */
  readonly ca: Buffer;
  /** Starts it, or starts it anew in another mode. */
  behave(mode: CdnMode): Promise<void>;
  /** Connections are refused from now on. */
  goDown(): Promise<void>;
  remove(): Promise<void>;
}

export interface CdnOptions {
  readonly address: string;
  /** address of the ingress */
  readonly origin: string;
  readonly hostname: string;
}

/** nginx in front of an ingress as a CDN is: an address of its own, TLS of its own, the Host header passed on. */
export async function createCdn({ address, origin, hostname }: CdnOptions): Promise<TestCdn> {
  const [program = ''] = await findDebian([{ file: 'nginx', package: 'nginx' }], (line) =>
    process.stderr.write(`${line}\n`),
  );
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-cdn-'));
  const pki = createPki(join(dir, 'pki'));
  const { certFile, keyFile } = pki.issue('edge', { commonName: hostname, san: `DNS:${hostname}` });
  const deeds: Readonly<Record<CdnMode, readonly string[]>> = {
    origin: [
      `proxy_pass $scheme://${origin};`,
      'proxy_set_header Host $host;',
      'proxy_ssl_server_name on;',
      'proxy_ssl_name $host;',
    ],
    parked: ['return 200 "nothing is set up here";'],
    forbidden: ['return 403;'],
  };
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(dir, name));
    return `  ${name}_temp_path ${join(dir, name)};`;
  });
  let running: Part | null = null;
  const goDown = async () => {
    await running?.stop();
    running = null;
  };
  return {
    address,
    ca: readFileSync(pki.caFile),
    goDown,
    async behave(mode) {
      await goDown();
      const config = [
        'user root;',
        'daemon off;',
        'worker_processes 1;',
        'error_log stderr warn;',
        `pid ${join(dir, 'nginx.pid')};`,
        'events { worker_connections 128; }',
        'http {',
        '  access_log off;',
        ...temporary,
        '  server {',
        `    listen ${address}:80;`,
        `    listen ${address}:443 ssl;`,
        `    ssl_certificate ${certFile};`,
        `    ssl_certificate_key ${keyFile};`,
        `    location / { ${deeds[mode].join(' ')} }`,
        '  }',
        '}',
      ];
      const file = join(dir, 'nginx.conf');
      writeFileSync(file, `${config.join('\n')}\n`);
      const ready = async () => (await fetch(`http://${address}/`, { signal: AbortSignal.timeout(1_000) })).status > 0;
      running = await startPart({ name: 'cdn', program, dir, args: ['-c', file, '-p', dir], ready });
    },
    async remove() {
      await goDown();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
