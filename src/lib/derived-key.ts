import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes for one purpose only (HKDF with SHA-256, RFC 5869): keys for other purposes tell nothing of it, and every process that has the
 * secret derives the same one.
 */
export const derivedKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
