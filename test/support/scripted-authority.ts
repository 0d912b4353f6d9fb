import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { createPki } from '../../dev/platform/pki.ts';
import type { SignedBody } from '../../src/acme/signed-body.ts';

/** What somebody asked of a scripted authority. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** of a signed request */
  readonly nonce: string | undefined;
  readonly payload: unknown;
}

export type AuthorityScript = (request: Asked, response: ServerResponse) => void;

/** An ACME authority over HTTPS that answers what a real one answers seldom. */
export interface ScriptedAuthority {
  readonly base: string;
  /** PEM of what vouches for it */
  readonly ca: string;
  /** what it was asked since the last script */
  readonly asked: readonly Asked[];
  /** Answers requests for nonces with `n1`, `n2` and so on, adds one to each other answer, which is the script's. */
  answer(script: AuthorityScript): void;
  /** The script answers requests for nonces, too. */
  answerAll(script: AuthorityScript): void;
  stop(): void;
}

export async function startScriptedAuthority(): Promise<ScriptedAuthority> {
  const dir = temporaryFolder('scripted-authority');
  const pki = createPki(dir);
  const { certFile, keyFile } = pki.issue('authority', { commonName: 'authority', san: 'IP:127.0.0.1' });
  const asked: Asked[] = [];
  let script: AuthorityScript = (_, response) => response.destroy();
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const one = read(request, body);
      asked.push(one);
      script(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answerAll = (next: AuthorityScript) => {
    asked.length = 0;
    script = next;
  };
  return {
    base: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: readFileSync(pki.caFile, 'utf8'),
    asked,
    answerAll,
    answer(next) {
      let count = 0;
      answerAll((request, response) => {
        response.setHeader('replay-nonce', `n${(count += 1)}`);
        if (request.method === 'HEAD') response.end();
        else next(request, response);
      });
    },
    stop() {
      server.closeAllConnections();
      server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

function read({ method = '', url: path = '' }: IncomingMessage, body: string): Asked {
  if (body === '') return { method, path, nonce: undefined, payload: undefined };
  const { protected: header, payload } = JSON.parse(body) as SignedBody;
  const { nonce } = decoded(header) as { readonly nonce: string };
  return { method, path, nonce, payload: payload === '' ? undefined : decoded(payload) };
}

const urn = (type: string): string => `urn:ietf:params:acme:error:${type}`;

/** A problem document with this type of RFC 8555. */
export const problemText = (type: string, more: object = {}): string =>
  JSON.stringify({ type: urn(type), detail: 'because', ...more });
