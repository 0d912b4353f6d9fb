import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { readFileSync, rmSync } from 'node:fs';
import type { AcmeClient } from '../../src/acme/acme-client.ts';
import { createAcmeClient } from '../../src/acme/acme-client.ts';
import type { Authority } from '../../dev/dns/authority.ts';
import { startAuthority } from '../../dev/dns/authority.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { takeCorner } from '../../dev/platform/address.ts';
import type { Part } from '../../dev/platform/process.ts';
import type { PebbleOptions } from '../../dev/platform/services.ts';
import { startPebble } from '../../dev/platform/services.ts';
import { findTools } from '../../dev/platform/tools.ts';

/** A real ACME authority that validates over HTTP, with DNS and the web server that it asks; no cluster. */
export interface TestPebble {
  /** URL of its directory */
  readonly server: string;
  /** PEM of what vouches for its HTTPS */
  readonly ca: string;
  /** URL of its own interface */
  readonly management: string;
  readonly part: Part;
  /** where every name of its zone leads */
  readonly address: string;
  readonly dns: Authority;
  /** by token, what the web server answers to a challenge */
  readonly answers: Map<string, string>;
  stop(): Promise<void>;
}

export const pebbleDeadlineMs = 120_000;
const challengePath = '/.well-known/acme-challenge/';

export interface TestPebbleOptions extends PebbleOptions {
  /** answers challenges in place of `answers` */
  readonly web?: Server;
}

/** Every name below example.com leads to the web server. */
export async function startTestPebble({ web: other, ...options }: TestPebbleOptions = {}): Promise<TestPebble> {
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  const dir = temporaryFolder('pebble');
  const corner = await takeCorner();
  const undo: (() => Promise<void> | void)[] = [
    () => rmSync(dir, { recursive: true, force: true }),
    () => corner.release(),
  ];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const dns = await startAuthority({ ...corner, port: 53 });
    undo.push(() => dns.stop());
    dns.putZone('example.com', `* A ${corner.address}\n@ A ${corner.address}`);
    const answers = new Map<string, string>();
    const web = other ?? createServer(answering(answers));
    await new Promise<void>((resolve) => web.listen(80, corner.address, resolve));
    undo.push(() => void web.close());
    const { part, directory, caFile, management } = await startPebble({ dir, tools, corner }, options);
    undo.push(() => part.stop());
    const ca = readFileSync(caFile, 'utf8');
    return { server: directory, ca, management, address: corner.address, dns, answers, part, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does something with a client of its own, as a process that knows nothing of what others did. */
export async function asAcmeProcess<T>(
  { server, ca }: Pick<TestPebble, 'server' | 'ca'>,
  act: (client: AcmeClient) => Promise<T>,
): Promise<T> {
  const client = createAcmeClient({ server, ca, now: Date.now });
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

const answering =
  (answers: ReadonlyMap<string, string>): RequestListener =>
  ({ url = '' }, response) => {
    const answer = answers.get(url.slice(challengePath.length));
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  };
