import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a certificate signing request asks for; the least is one name. */
export interface Asked {
  /** as openssl writes a subject: `/CN=www.example.com`; `/` for none */
  readonly subject?: string;
  /** as openssl writes alternative names: `DNS:www.example.com`; null for none at all */
  readonly names: string | null;
  /** arguments of `openssl req -newkey`; an ECDSA key on P-256 unless said */
  readonly key?: readonly string[];
}

const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] as const;

interface Made {
  /** base64 of PEM */
  readonly request: string;
  /** PEM */
  readonly certificate: string;
}

const made = new Map<string, Made>();

/** The same as DER. */
export function signingRequestDer(asked: Asked): Buffer {
  const pem = Buffer.from(signingRequest(asked), 'base64').toString();
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
}

/** A real PKCS#10 request of openssl, base64 of its PEM as a CertificateRequest carries it; the same one for the same wish. */
export const signingRequest = (asked: Asked): string => madeFor(asked).request;

/** A certificate of the same key, in PEM. */
export const certificateFor = (asked: Asked): string => madeFor(asked).certificate;

function madeFor(asked: Asked): Made {
  const wish = JSON.stringify(asked);
  const before = made.get(wish);
  if (before !== undefined) return before;
  const { subject = '/', names, key = p256 } = asked;
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-csr-'));
  const [keyFile, out, certificate] = ['key.pem', 'request.pem', 'certificate.pem'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const openssl = (...args: readonly string[]) => execFileSync('openssl', [...args], { stdio: 'pipe' });
  try {
    const extension = names === null ? [] : ['-addext', `subjectAltName=${names}`];
    openssl(
      'req',
      '-new',
      '-newkey',
      ...key,
      '-nodes',
      '-keyout',
      keyFile,
      '-subj',
      subject,
      ...extension,
      '-out',
      out,
    );
    openssl('x509', '-req', '-in', out, '-signkey', keyFile, '-days', '1', '-out', certificate);
    const both = {
      request: readFileSync(out).toString('base64'),
      certificate: readFileSync(certificate, 'utf8'),
    };
    made.set(wish, both);
    return both;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
