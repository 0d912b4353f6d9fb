import { certificateFacts } from './certificate-facts.ts';
import type { Objection } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';
import { extensionObjection } from './check-chain.ts';
import { keyTypeObjection } from './check-keys.ts';
import { certifiedNames } from './check-names.ts';

/** Objects to a certificate that is served for the hostname, as DER, by the rules for one that is sent: all that can be told without its key and its chain. */
export function servedObjection(der: Buffer, hostname: string): Objection {
  const facts = certificateFacts(der);
  if ('fault' in facts)
    return refuse('CertificateUnreadable', `the certificate cannot be read as everybody reads it: ${facts.fault}`);
  const named = certifiedNames(facts, hostname);
  if (!named.ok) return named;
  return keyTypeObjection(facts, 'leaf') ?? extensionObjection(facts, { leaf: facts, issuers: [] });
}
