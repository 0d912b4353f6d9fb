import { connect } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** Visitors are served over HTTP/2. */

const fixture = useConformance(import.meta.filename);

it('answers over HTTP/2', async () => {
  const { ingressAddress: host } = fixture().stage.facts;
  const hostname = inZone('www.http2');
  const session = connect(`https://${hostname}`, {
    createConnection: () =>
      connectTls({ host, port: 443, servername: hostname, ca: fixture().ca, ALPNProtocols: ['h2'] }),
  });
  const status = await new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':path': '/' });
    stream.on('response', (headers) => resolve(headers[':status']));
    stream.on('error', reject);
    stream.setTimeout(5_000, () => reject(new Error('timeout')));
    stream.resume().end();
  }).finally(() => session.close());
  expect(status).toBe(200);
});
