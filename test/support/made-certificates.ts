import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../dev/lib/temporary.ts';

/** What openssl is asked for; the least is a certificate for www.example.com with a key on P-256. */
export interface Wish {
  readonly subject?: string;
  /** lines of an extension file; what is given replaces what is usual */
  readonly extensions?: readonly string[];
  /** arguments of `openssl req -newkey` */
  readonly key?: readonly string[];
  /** who signs it; itself when absent */
  readonly by?: Made;
  /** `sha1`; SHA-256 when absent */
  readonly digest?: string;
  readonly days?: number;
}

/** A certificate with its key. */
export interface Made {
  readonly pem: string;
  /** PKCS#8 */
  readonly key: string;
  readonly files: { readonly certificate: string; readonly key: string };
}

export interface CertificateMaker {
  make(wish?: Wish): Made;
  /** A root, and an authority below it. */
  authorities(): { readonly root: Made; readonly intermediate: Made };
  remove(): void;
}

const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] as const;
export const names = (...hostnames: readonly string[]): string =>
  `subjectAltName=${hostnames.map((hostname) => `DNS:${hostname}`).join(',')}`;
/** Extensions of a server's certificate without its names. */
export const ofServer = [
  'basicConstraints=CA:FALSE',
  'keyUsage=digitalSignature',
  'extendedKeyUsage=serverAuth',
] as const;
export const ofAuthority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign,cRLSign'] as const;

/** Real certificates of openssl, in a folder of their own. */
export function certificateMaker(): CertificateMaker {
  const dir = temporaryFolder('made-certificates');
  let made = 0;
  const openssl = (...args: readonly string[]) => execFileSync('openssl', [...args], { stdio: 'pipe' });
  const make = ({
    subject = '/CN=www.example.com',
    extensions = [...ofServer, names('www.example.com')],
    key = p256,
    by,
    digest = 'sha256',
    days = 90,
  }: Wish = {}): Made => {
    const file = (name: string) => join(dir, `${(made += 1)}.${name}`);
    const [keyFile, request, extensionFile, certificate] = ['key', 'csr', 'ext', 'crt'].map(file) as [
      string,
      string,
      string,
      string,
    ];
    openssl('req', '-new', '-newkey', ...key, '-nodes', '-keyout', keyFile, '-subj', subject, '-out', request);
    writeFileSync(extensionFile, extensions.join('\n'));
    const signer = by ? ['-CA', by.files.certificate, '-CAkey', by.files.key] : ['-signkey', keyFile];
    const serial = ['-set_serial', String(1_000 + made)];
    const given = ['-in', request, ...signer, ...(by ? serial : []), '-days', String(days), `-${digest}`];
    openssl('x509', '-req', ...given, '-extfile', extensionFile, '-out', certificate);
    return {
      pem: readFileSync(certificate, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
      files: { certificate, key: keyFile },
    };
  };
  return {
    make,
    authorities() {
      const root = make({ subject: '/O=Example/CN=Example Root', extensions: ofAuthority, days: 3_650 });
      const intermediate = make({
        subject: '/CN=Example Intermediate',
        extensions: ofAuthority,
        by: root,
        days: 1_000,
      });
      return { root, intermediate };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
