import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate authority in a folder. Certificates are named by their file. */
export interface Pki {
  readonly caFile: string;
  /** Issues (once) and returns certificate and key. `san` as openssl wants it: `IP:127.0.0.1,DNS:localhost`. */
  issue(name: string, subject: Subject): Issued;
  readonly serviceAccountKey: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly san?: string;
}

export interface Issued {
  readonly certFile: string;
  readonly keyFile: string;
}

const days = '30';

const openssl = (...args: readonly string[]) =>
  execFileSync('openssl', [...args], { stdio: ['ignore', 'ignore', 'pipe'] });

/** Makes the authority with openssl, which Debian has; Node alone cannot sign X.509. */
export function createPki(dir: string): Pki {
  mkdirSync(dir, { recursive: true });
  const file = (name: string) => join(dir, name);
  writeKey(file('ca.key'));
  const made = ['-days', days, '-subj', '/CN=platform', '-out', file('ca.crt')];
  openssl('req', '-x509', '-new', '-key', file('ca.key'), ...made);
  writeKey(file('sa.key'));
  return openPki(dir);
}

/** The authority that is in a folder already; what is issued is put into `own`, which another process may not share. */
export function openPki(dir: string, own = dir): Pki {
  const file = (name: string) => join(dir, name);
  const issuedFile = (name: string) => join(own, name);
  mkdirSync(own, { recursive: true });
  return {
    caFile: file('ca.crt'),
    serviceAccountKey: file('sa.key'),
    issue(name, { commonName, organizations = [], san = '' }) {
      const issued = { certFile: issuedFile(`${name}.crt`), keyFile: issuedFile(`${name}.key`) };
      if (existsSync(issued.certFile)) return issued;
      const subject = [...organizations.map((organization) => `/O=${organization}`), `/CN=${commonName}`].join('');
      const extensions = ['extendedKeyUsage=clientAuth,serverAuth', ...(san === '' ? [] : [`subjectAltName=${san}`])];
      const [request, asked] = [issuedFile(`${name}.csr`), issuedFile(`${name}.ext`)];
      writeKey(issued.keyFile);
      writeFileSync(asked, extensions.join('\n'));
      openssl('req', '-new', '-key', issued.keyFile, '-subj', subject, '-out', request);
      const authority = [
        '-CA',
        file('ca.crt'),
        '-CAkey',
        file('ca.key'),
        '-CAserial',
        issuedFile('ca.srl'),
        '-CAcreateserial',
      ];
      openssl('x509', '-req', '-in', request, ...authority, '-days', days, '-extfile', asked, '-out', issued.certFile);
      rmSync(request);
      return issued;
    },
  };
}

function writeKey(path: string): void {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
}

/** Who a kubeconfig speaks as: a client certificate, or a ServiceAccount's token. */
export type Credentials = Issued | { readonly token: string };

const base64 = (path: string) => readFileSync(path).toString('base64');

/** A kubeconfig with everything inline, for one user. */
export function kubeconfigOf(server: string, caFile: string, credentials: Credentials): string {
  const user =
    'token' in credentials
      ? credentials
      : { 'client-certificate-data': base64(credentials.certFile), 'client-key-data': base64(credentials.keyFile) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'platform',
    clusters: [{ name: 'platform', cluster: { server, 'certificate-authority-data': base64(caFile) } }],
    users: [{ name: 'user', user }],
    contexts: [{ name: 'platform', context: { cluster: 'platform', user: 'user' } }],
  });
}
