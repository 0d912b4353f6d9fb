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
const made = new Map<string, string>();

/** The same as DER. */
export function signingRequestDer(asked: Asked): Buffer {
  const pem = Buffer.from(signingRequest(asked), 'base64').toString();
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
}

/** A real PKCS#10 request of openssl, base64 of its PEM as a CertificateRequest carries it; the same one for the same wish. */
export function signingRequest(asked: Asked): string {
  const wish = JSON.stringify(asked);
  const before = made.get(wish);
  if (before !== undefined) return before;
  const { subject = '/', names, key = p256 } = asked;
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-csr-'));
  try {
    const out = join(dir, 'request.pem');
    const extension = names === null ? [] : ['-addext', `subjectAltName=${names}`];
    const args = ['req', '-new', '-newkey', ...key, '-nodes', '-keyout', join(dir, 'key.pem')];
    execFileSync('openssl', [...args, '-subj', subject, ...extension, '-out', out], { stdio: 'pipe' });
    const pem = readFileSync(out).toString('base64');
    made.set(wish, pem);
    return pem;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
