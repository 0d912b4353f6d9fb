import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../lib/derived-key.ts';
import type { HandoverLink, HandoverLinks } from '../../use-cases/handover-links-port.ts';
import { HandoverLinksUnavailable, linksPerDomain } from '../../use-cases/handover-links-port.ts';
import { createRedisRetry } from '../../lib/redis/redis-retry.ts';
import type { RecordStoreOptions } from '../sessions/sealed-record.ts';
import { sealedRecords } from '../sessions/sealed-record.ts';

/** One Redis hash per domain holds its links, by the hash of their secrets: reading Redis is not enough to open one. */
const keyOf = (place: string): string => `pd:links:{${place}}`;

const fields = {
  texts: ['account', 'keyId', 'namespace', 'name', 'uid'],
  numbers: ['created', 'expires'],
} as const;

/** A link with a sender is sealed for itself, so that versions that know of none go on reading the others. */
const signedFields = { texts: [...fields.texts, 'from'], numbers: fields.numbers } as const;

/**
 * Atomically deletes what has expired and adds a link, unless there are too many. May be repeated. KEYS 1 the links of
 * the domain; ARGV 1 field 2 record 3 maximum number of links 4 Unix milliseconds 5 seconds until this one expires
 */
const addition = `
local others = 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local isRead, record = pcall(cjson.decode, all[i + 1])
  local expires = isRead and type(record) == 'table' and tonumber(record.expires) or 0
  if expires <= tonumber(ARGV[4]) then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then others = others + 1 end
end
if others >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if redis.call('TTL', KEYS[1]) < tonumber(ARGV[5]) then redis.call('EXPIRE', KEYS[1], ARGV[5]) end
return 1`;

interface WithAddition {
  addLink(key: string, ...args: (string | number)[]): Promise<number>;
}

/** Hand-over links in Redis, signed and authenticated by MACs: docs/adr/0044. */
export function createHandoverLinks({ redis, secret, now, forged }: RecordStoreOptions): HandoverLinks {
  redis.defineCommand('addLink', { numberOfKeys: 1, lua: addition });
  const commands = redis as unknown as WithAddition;
  const retried = createRedisRetry(redis, HandoverLinksUnavailable);
  const tokens = linkTokens(secret);
  const records = sealedRecords(secret, 'projectdomain hand-over record', fields);
  const signed = sealedRecords(secret, 'projectdomain hand-over record with its sender', signedFields);
  const sealPlace = (place: string, id: string): string => `${place} ${id}`;

  /** The link of a record, unless it expired; a record that somebody else wrote, or moved here, is none. */
  const opened = (place: string, id: string, text: string): HandoverLink | null => {
    const at = sealPlace(place, id);
    const record = records.open(at, text) ?? signed.open(at, text);
    if (record === null) {
      forged();
      return null;
    }
    return record.expires > now() ? Object.freeze({ ...record, id }) : null;
  };

  return {
    async create(content, random) {
      const { place, id, token } = tokens.make(placeOf(content.uid), random);
      const { from } = content;
      const at = sealPlace(place, id);
      const record = from === undefined ? records.seal(at, content) : signed.seal(at, { ...content, from });
      const seconds = Math.ceil((content.expires - now()) / 1_000);
      const isAdded = await retried(() => commands.addLink(keyOf(place), id, record, linksPerDomain, now(), seconds));
      return isAdded === 1 ? { link: { ...content, id }, token } : null;
    },
    async find(token) {
      const meant = tokens.read(token);
      if (meant === null) return null;
      const { place, id } = meant;
      const text = await retried(() => redis.hget(keyOf(place), id));
      return text === null ? null : opened(place, id, text);
    },
    async list(uid) {
      const place = placeOf(uid);
      const all = await retried(() => redis.hgetall(keyOf(place)));
      const links = Object.entries(all).flatMap(([id, text]) => opened(place, id, text) ?? []);
      return links.toSorted((one, other) => one.created - other.created);
    },
    async revoke(uid, id) {
      return (await retried(() => redis.hdel(keyOf(placeOf(uid)), id))) === 1;
    },
  };
}

/**
 * The token of a hand-over link, in base64url: where the domain's links are (120 bits), the secret (144 bits), and a
 * MAC over both (144 bits), by which a guess is refused before anything is looked up. Each part is a multiple of three
 * bytes, so that no two texts are the same token.
 */
const shape = /^([A-Za-z0-9_-]{20})([A-Za-z0-9_-]{24})([A-Za-z0-9_-]{24})$/;

/** Where a token leads. */
interface LinkPlace {
  /** the domain's place in the store */
  readonly place: string;
  /** the link's id */
  readonly id: string;
}

const hash = (text: string, bytes: number): string =>
  createHash('sha256').update(text).digest().subarray(0, bytes).toString('base64url');

/** The place of a domain's links in the store. The uid itself is not in the token. */
export const placeOf = (uid: string): string => hash(uid, 15);

/** Makes and reads tokens with a key derived from the installation's HMAC secret for this purpose only. */
export function linkTokens(installationSecret: Uint8Array) {
  const key = derivedKey(installationSecret, 'projectdomain hand-over token');
  const signature = (place: string, secret: string): Buffer =>
    createHmac('sha256', key)
      .update(place + secret)
      .digest()
      .subarray(0, 18);
  return Object.freeze({
    /** A token for a secret of `linkSecretBytes` random bytes. */
    make(place: string, random: Uint8Array): LinkPlace & { readonly token: string } {
      const secret = Buffer.from(random).toString('base64url');
      const token = place + secret + signature(place, secret).toString('base64url');
      return { place, id: hash(secret, 18), token };
    },
    /** Null for a token that this installation did not make. */
    read(token: string): LinkPlace | null {
      const [, place = '', secret = '', given = ''] = shape.exec(token) ?? [];
      if (given === '' || !timingSafeEqual(Buffer.from(given, 'base64url'), signature(place, secret))) return null;
      return { place, id: hash(secret, 18) };
    },
  });
}
