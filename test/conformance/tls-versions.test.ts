import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { handshake } from '../support/exchange.ts';

/** Hostnames are served over TLS 1.2 and 1.3. Fails where an edge accepts what RFC 8996 deprecates, or offers no HTTP/1.1 to clients that know nothing else. */

const fixture = useConformance(import.meta.filename);

const shake = (options: Partial<Parameters<typeof handshake>[0]>) =>
  handshake({
    address: fixture().stage.facts.ingressAddress,
    servername: inZone('www.tls-versions'),
    ca: fixture().ca,
    ...options,
  });

it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
  expect((await shake({ minVersion: version, maxVersion: version })).protocol).toBe(version);
});

it.each(['TLSv1', 'TLSv1.1'] as const)('does not speak %s', async (version) => {
  // The client's own OpenSSL refuses these otherwise.
  const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(shake(options)).rejects.toThrow(/protocol version/);
});

it.each([[['http/1.1']], [['h2']], [['h2', 'http/1.1']]])('agrees on the first of %j', async (ALPNProtocols) => {
  expect((await shake({ ALPNProtocols })).alpn).toBe(ALPNProtocols[0]);
});
