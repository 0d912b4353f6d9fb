import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Session } from './sessions-port.ts';

/** A session as stored in Redis. The MAC covers content and field: write access to Redis is not enough to forge one. */
interface SessionRecord extends Session {
  /** milliseconds since the Unix epoch */
  readonly created: number;
  /** milliseconds since the Unix epoch */
  readonly expires: number;
  /** HMAC-SHA256, base64url */
  readonly mac: string;
}

/** The field of a record in the Redis hash of its key's sessions. */
export const fieldOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** The MAC key, derived from the installation's HMAC secret for this purpose only (HKDF, RFC 5869). */
export const recordKey = (installationSecret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', installationSecret, '', 'projectdomain session record', 32));

type Content = Omit<SessionRecord, 'mac'>;

function macOf(key: Uint8Array, field: string, { account, keyId, agent, created, expires }: Content): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([field, account, keyId, agent, created, expires]))
    .digest();
}

export const seal = (key: Uint8Array, field: string, content: Content): string =>
  JSON.stringify({ ...content, mac: macOf(key, field, content).toString('base64url') });

/** Parses and authenticates the value of a field; null if this installation did not write it there. */
export function open(key: Uint8Array, field: string, text: string): SessionRecord | null {
  const record = read(text);
  if (record === null) return null;
  const given = Buffer.from(record.mac, 'base64url');
  const wanted = macOf(key, field, record);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? record : null;
}

const longestRecord = 2_048;
const texts = ['account', 'keyId', 'agent', 'mac'] as const;
const numbers = ['created', 'expires'] as const;

function read(text: string): SessionRecord | null {
  if (text.length > longestRecord) return null;
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    if (given === null || typeof given !== 'object') return null;
    const isComplete =
      texts.every((name) => typeof given[name] === 'string') &&
      numbers.every((name) => typeof given[name] === 'number');
    return isComplete ? (given as unknown as SessionRecord) : null;
  } catch {
    return null;
  }
}
