import { X509Certificate } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';
import { handshake } from '../support/exchange.ts';

/** Each hostname has a certificate for itself alone, whose chain a client can follow. Fails where names are put together, or a chain is not sent in order. */

const fixture = useConformance(import.meta.filename);

it('names the hostname and no other, a redirecting one too', async () => {
  const { ingressAddress: address } = fixture().stage.facts;
  const shown = await Promise.all(
    fixture().hostnames.map(async (servername) => {
      const { certificate } = await handshake({ address, servername, ca: fixture().ca });
      return certificate.subjectaltname;
    }),
  );
  expect(shown).toEqual(fixture().hostnames.map((hostname) => `DNS:${hostname}`));
});

it('is sent with its chain, each certificate signed by the next', async () => {
  const { ingressAddress: address } = fixture().stage.facts;
  const [servername = ''] = fixture().hostnames;
  // What the peer sent, as the root that would complete it is not trusted here.
  const { chain } = await handshake({ address, servername, ca: null });
  const [own, ...above] = chain.map((der) => new X509Certificate(der));
  expect(own?.subjectAltName).toBe(`DNS:${servername}`);
  expect(above.length).toBeGreaterThan(0);
  const signed = above.map((authority, index) => [own, ...above][index]?.checkIssued(authority));
  expect(signed).toEqual(above.map(() => true));
});
