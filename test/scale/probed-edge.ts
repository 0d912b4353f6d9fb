import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { X509Certificate } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { createPki } from '../../dev/platform/pki.ts';

/** An HTTPS server that answers every made hostname with a certificate for it, where an ingress controller would. */
export interface ProbedEdge {
  /** PEM of the authority that its certificates are from */
  readonly caFile: string;
  /** PEM of a certificate and its key, as small as a Secret's usually are */
  readonly pair: { readonly certificate: string; readonly key: string };
  /** when the certificate of a hostname ends and begins, RFC 3339 */
  validity(hostname: string): { readonly notBefore: string; readonly notAfter: string };
  stop(): Promise<void>;
}

export interface EdgeOptions {
  readonly dir: string;
  readonly address: string;
  /** the hostnames that share a certificate with this one */
  readonly sharedBy: (hostname: string) => { readonly name: string; readonly hostnames: readonly string[] };
}

interface Served {
  readonly context: SecureContext;
  readonly certificate: X509Certificate;
}

export async function startProbedEdge({ dir, address, sharedBy }: EdgeOptions): Promise<ProbedEdge> {
  const pki = createPki(dir);
  const served = new Map<string, Served>();
  const own = pki.issue('edge', { commonName: 'edge', san: 'DNS:edge.invalid' });
  const servedFor = (hostname: string): Served => {
    const { name, hostnames } = sharedBy(hostname);
    const before = served.get(name);
    if (before) return before;
    const san = hostnames.map((one) => `DNS:${one}`).join(',');
    const issued = pki.issue(name, { commonName: name, san });
    const [cert, key] = [readFileSync(issued.certFile), readFileSync(issued.keyFile)];
    const made = { context: createSecureContext({ cert, key }), certificate: new X509Certificate(cert) };
    served.set(name, made);
    return made;
  };
  const [cert, key] = [readFileSync(own.certFile, 'utf8'), readFileSync(own.keyFile, 'utf8')];
  const server = createServer(
    { cert, key, SNICallback: (hostname, done) => done(null, servedFor(hostname).context) },
    (_, response) => response.end(),
  );
  await new Promise<void>((done, fail) => server.once('error', fail).listen(443, address, done));
  return {
    caFile: pki.caFile,
    pair: { certificate: cert, key },
    validity(hostname) {
      const { certificate } = servedFor(hostname);
      const [notBefore, notAfter] = [certificate.validFrom, certificate.validTo].map((text) =>
        new Date(text).toISOString().replace('.000Z', 'Z'),
      );
      return { notBefore: notBefore ?? '', notAfter: notAfter ?? '' };
    },
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
