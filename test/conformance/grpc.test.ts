import type { IncomingHttpHeaders } from 'node:http2';
import { connect, createServer } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/**
 * A gRPC call reaches a project whose Service says `appProtocol: kubernetes.io/h2c`, with its trailers. Fails where an edge speaks HTTP/1.1 to such a
 * project, or leaves trailers out.
 */

/** Traefik reads no appProtocol from the Service of an Ingress. To other edges this says nothing. */
const annotations = { 'traefik.ingress.kubernetes.io/service.serversscheme': 'h2c' };

const server = createServer();
server.on('stream', (stream, headers) => {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'x-te': String(headers.te) },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'fine' }));
  stream.pipe(stream);
});
const fixture = useConformance(import.meta.filename, {
  services: [{ name: 'rpc', server, appProtocol: 'kubernetes.io/h2c', annotations }],
});

interface Called {
  readonly status: unknown;
  readonly body: string;
  readonly trailers: Readonly<Record<string, unknown>>;
}

function call(hostname: string): Promise<Called> {
  const { ingressAddress: host } = fixture().stage.facts;
  const session = connect(`https://${hostname}`, {
    createConnection: () =>
      connectTls({ host, port: 443, servername: hostname, ca: fixture().ca, ALPNProtocols: ['h2'] }),
  });
  return new Promise<Called>((resolve, reject) => {
    session.on('error', reject);
    const headers = {
      ':method': 'POST',
      ':path': '/a.Service/Call',
      'content-type': 'application/grpc',
      te: 'trailers',
    };
    const stream = session.request(headers);
    let status: unknown;
    let body = '';
    let trailers: Called['trailers'] = {};
    stream.on('response', (got) => (status = got[':status']));
    stream.on('trailers', (got: IncomingHttpHeaders) => {
      trailers = got;
    });
    stream.on('data', (part: Buffer) => (body += part.toString()));
    stream.on('end', () => resolve({ status, body, trailers }));
    stream.on('error', reject);
    stream.setTimeout(5_000, () => reject(new Error('timeout')));
    stream.end('\0\0\0\0\x04ping');
  }).finally(() => session.close());
}

it('is answered with its trailers', async () => {
  expect(await call(inZone('www.grpc'))).toEqual({
    status: 200,
    body: '\0\0\0\0\x04ping',
    trailers: expect.objectContaining({ 'grpc-status': '0', 'grpc-message': 'fine' }) as unknown,
  });
});
