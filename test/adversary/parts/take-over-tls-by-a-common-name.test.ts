import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { replaceCertificate } from '../../../src/use-cases/own-certificates.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { Made } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';

/**
 * A tenant with one API key sends a certificate for its own hostname whose common name lists others: Traefik looks certificates up by the common name too, by each
 * part between its commas, for all hostnames of the edge (pkg/tls/certificate_store.go, parseCertificate and GetBestCertificate). Held off: the common name is one
 * of the names that the account holds, or there is none. Fails when an edge would find a certificate by a name that was not checked.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const hostname = 'www.example.com';
const victims = ['victim.example.org', 'shop.apps.example.net', 'api.example.net'];

/** The names that Traefik finds a certificate by: the last common name and all alternative names, in lower case, between commas. */
function foundBy({ pem }: Made): readonly string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(pem);
  const common = [...(subject ?? '').matchAll(/CN=(.*)/g)].map(([, name = '']) => name);
  const alternatives = subjectAltName.split(', ').map((name) => name.replace('DNS:', ''));
  return [...common, ...alternatives].flatMap((name) => name.toLowerCase().split(','));
}

/** Account acme, which holds www.example.com, sends it: what came of that, and whether anything is stored. */
async function send(made: Made) {
  const api = createInMemoryApi();
  const context = api.as(api.account('acme', 'pro'));
  api.domain('acme', hostname);
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: hostname },
    spec: {
      account: 'id-of-acme',
      holder: { namespace: 'acme', name: hostname },
      phase: 'Held',
      epoch: 1,
      proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' },
    },
  });
  const before = api.cluster.written.length;
  const certificate = [made, intermediate, root].map(({ pem }) => pem).join('');
  const sent = { project: 'shop', hostname, sent: { certificate, privateKey: made.key } };
  const refusal = await replaceCertificate(context, sent).then(
    () => null,
    (error: { members?: { reason?: string } }) => error.members?.reason ?? 'other',
  );
  const stored = api.cluster.written.length > before;
  api.stop();
  return { refusal, stored };
}

const withSubject = (subject: string, ...more: readonly string[]) =>
  maker.make({ by: intermediate, subject, extensions: [...ofServer, names(hostname, ...more)] });

describe('a certificate whose common name', () => {
  it.each([
    ['is a neighbour’s hostname', `/CN=${victims[0]}`],
    ['lists hostnames of others', `/CN=${victims.join(',')}`],
    ['lists them behind its own', `/CN=${hostname},${victims[0]}`],
    ['is a wildcard of the platform', '/CN=*.apps.example.net'],
    ['is followed by another', `/CN=${hostname}/CN=${victims[1]}`],
    ['stands before another', `/CN=${victims[1]}/CN=${hostname}`],
    ['is in upper case', `/CN=${victims[0]?.toUpperCase()}`],
  ])('%s is refused, and nothing is stored', async (_, subject) => {
    const made = withSubject(subject);
    expect(foundBy(made).filter((name) => name !== hostname)).not.toEqual([]);
    expect(await send(made)).toEqual({ refusal: 'CommonName', stored: false });
  });

  it.each([
    ['is its own', `/CN=${hostname}`],
    ['is its own in upper case', `/CN=${hostname.toUpperCase()}`],
    ['is missing', '/O=Example'],
  ])('%s is found by its own names alone', async (_, subject) => {
    const made = withSubject(subject);
    expect(await send(made)).toEqual({ refusal: null, stored: true });
    expect(new Set(foundBy(made))).toEqual(new Set([hostname]));
  });
});
