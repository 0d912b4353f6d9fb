import { readFileSync, rmSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { createPki } from '../../../dev/platform/pki.ts';
import type { ChallengeServers } from '../../../src/routing/challenge-probe.ts';
import { answeredEverywhere } from '../../../src/routing/challenge-probe.ts';

/** Redirectors and an ingress on real sockets, of which some do not do what they should. */

const hostname = 'www.example.com';
const path = '/.well-known/acme-challenge/token';
const expected = new Map([[path, 'token.thumbprint']]);
const servers: Server[] = [];
const dir = temporaryFolder('challenge-probe');
/** Of nobody's authority, as before a certificate is there. */
let certificate: { readonly cert: Buffer; readonly key: Buffer };

beforeAll(() => {
  const { certFile, keyFile } = createPki(join(dir, 'pki')).issue('other', { commonName: 'other', san: 'DNS:other' });
  certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(server: Server, address: string, port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, address, done));
  return (server.address() as AddressInfo).port;
}

/** One for each listener, all at one port; null for an address at which nothing listens. */
async function redirectors(listeners: readonly (RequestListener | null)[]): Promise<ChallengeServers['redirectors']> {
  const addresses = listeners.map((_, at) => `127.0.0.${at + 2}`);
  let port = 0;
  for (const [at, listener] of listeners.entries())
    if (listener !== null) port = await listen(createServer(listener), addresses[at] ?? '', port);
  return { addresses, port };
}

/** `secure` listens with HTTPS; null where nothing does. */
async function ingress(
  plain: RequestListener,
  secure: RequestListener | null = null,
): Promise<ChallengeServers['ingresses'][number]> {
  const address = '127.0.0.40';
  const http = await listen(createServer(plain), address);
  const https = secure === null ? 1 : await listen(createSecureServer(certificate, secure), address);
  return { address, ports: { http, https } };
}

const answers: RequestListener = ({ headers, url }, response) => {
  const isAsked = headers.host === hostname && url === path;
  response.writeHead(isAsked ? 200 : 404).end(isAsked ? 'token.thumbprint' : 'nothing');
};

const redirectsTo =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(308, { location }).end();

describe('a challenge is answered everywhere', () => {
  it('where the ingress and each redirector answer for the hostname with just that text', async () => {
    const three = { redirectors: await redirectors([answers, answers, answers]), ingresses: [await ingress(answers)] };
    expect(await answeredEverywhere(three, hostname, expected)).toEqual(new Set([path]));
    expect(await answeredEverywhere(three, 'other.example.com', expected)).toEqual(new Set());
  });

  it('only as far as it is: of two challenges the one that all answer', async () => {
    const one = { redirectors: await redirectors([answers]), ingresses: [await ingress(answers)] };
    const two = new Map([...expected, ['/.well-known/acme-challenge/other', 'other.thumbprint']]);
    expect(await answeredEverywhere(one, hostname, two)).toEqual(new Set([path]));
  });

  it.each<[string, RequestListener | null]>([
    ['is not there', null],
    ['answers with another text', (_, response) => void response.end('token.others')],
    ['answers with more', (_, response) => void response.end('token.thumbprint\n')],
    ['does not know of it yet', (_, response) => void response.writeHead(404).end('token.thumbprint')],
    ['is about to stop', (request) => void request.socket.destroy()],
    [
      'ends amid its answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '16' });
        response.write('token.', () => response.socket?.destroy());
      },
    ],
    ['never answers', () => undefined],
    [
      'never stops answering',
      (_, response) => {
        const more = () => void response.write('x'.repeat(1_024));
        response.on('drain', more);
        more();
        for (let count = 0; count < 64; count += 1) more();
      },
    ],
  ])('is not so where one of two redirectors %s', async (_, listener) => {
    const two = { redirectors: await redirectors([answers, listener]), ingresses: [await ingress(answers)] };
    expect(await answeredEverywhere(two, hostname, expected)).toEqual(new Set());
  });

  it('is not so where there is no redirector', async () => {
    const none = { redirectors: { addresses: [], port: 80 }, ingresses: [await ingress(answers)] };
    expect(await answeredEverywhere(none, hostname, expected)).toEqual(new Set());
  });

  it.each<[string, boolean, RequestListener, RequestListener | null]>([
    ['redirects to HTTPS and answers there', true, redirectsTo(`https://${hostname}${path}`), answers],
    ['has not come to lead to the redirector', false, (_, response) => void response.writeHead(404).end(), null],
    ['redirects to HTTPS and does not answer there', false, redirectsTo(`https://${hostname}${path}`), null],
    [
      'redirects to HTTPS and answers something else',
      false,
      redirectsTo(`https://${hostname}${path}`),
      redirectsTo('/'),
    ],
    ['redirects to another hostname', false, redirectsTo(`https://other.example.com${path}`), answers],
    ['names the port of HTTPS', true, redirectsTo(`https://${hostname}:443${path}`), answers],
    [
      'redirects to a port that no authority follows to',
      false,
      redirectsTo(`https://${hostname}:8443${path}`),
      answers,
    ],
    ['redirects to another path', false, redirectsTo(`https://${hostname}/`), answers],
    ['redirects to itself', false, redirectsTo(`http://${hostname}${path}`), answers],
    ['redirects to what is no URL', false, redirectsTo('https://['), answers],
  ])('where the ingress %s: %s', async (_, isAnswered, plain, secure) => {
    const one = { redirectors: await redirectors([answers]), ingresses: [await ingress(plain, secure)] };
    expect(await answeredEverywhere(one, hostname, expected)).toEqual(new Set(isAnswered ? [path] : []));
  });

  it.each<[string, boolean, RequestListener]>([
    ['answers too', true, answers],
    ['has not come to lead to the redirector', false, (_, response) => void response.writeHead(404).end()],
  ])('where one of two edges %s: %s', async (_, isAnswered, second) => {
    const ingresses = [await ingress(answers), await ingress(second)];
    const one = { redirectors: await redirectors([answers]), ingresses };
    expect(await answeredEverywhere(one, hostname, expected)).toEqual(new Set(isAnswered ? [path] : []));
  });
});
