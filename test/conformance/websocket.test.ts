import { connect } from 'node:tls';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** An upgraded connection goes through, both ways. */

const fixture = useConformance(import.meta.filename);

it('echoes what is sent after the upgrade', async () => {
  const { ingressAddress: host } = fixture().stage.facts;
  const hostname = inZone('www.websocket');
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host, port: 443, servername: hostname, ca: fixture().ca, ALPNProtocols: ['http/1.1'] });
    let text = '';
    socket.on('error', reject);
    socket.setTimeout(5_000, () => socket.destroy(new Error(`timeout after ${JSON.stringify(text)}`)));
    socket.on('data', (chunk: Buffer) => {
      const isFirst = text === '';
      text += chunk.toString('latin1');
      if (isFirst && text.includes('\r\n\r\n')) socket.write('are you there?');
      if (!text.includes('are you there?')) return;
      socket.destroy();
      resolve(text);
    });
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
  });
  expect(said).toMatch(/^HTTP\/1\.1 101 /);
});
