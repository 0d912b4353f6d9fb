import { createHash, randomBytes, createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../lib/derived-key.ts';
import { createRedisRetry } from '../../lib/redis/redis-retry.ts';
import type { RecordStoreOptions } from './sealed-record.ts';
import { sealedRecords } from './sealed-record.ts';
import type { Session, Sessions } from './sessions-port.ts';
import { sessionSeconds, sessionsPerKey, SessionsUnavailable } from './sessions-port.ts';

/** One Redis hash per API key holds its sessions, by the secret's hash: reading Redis is not enough to sign in. */
const keyOf = (keyId: string): string => `pd:sessions:{${keyId}}`;
const fieldOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** What a record contains; times in milliseconds since the Unix epoch. */
const fields = { texts: ['account', 'keyId', 'agent'], numbers: ['created', 'expires'] } as const;

/**
 * Atomically adds a session and deletes the oldest ones above the maximum. A record without a creation time counts as
 * the oldest. KEYS 1 the sessions of the key; ARGV 1 field 2 record 3 maximum number of sessions 4 seconds until all
 * expire
 */
const addition = `
local others = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local isRead, record = pcall(cjson.decode, all[i + 1])
  local created = isRead and type(record) == 'table' and tonumber(record.created) or 0
  others[#others + 1] = {field = all[i], created = created}
end
table.sort(others, function(one, other) return one.created < other.created end)
for i = 1, #others - tonumber(ARGV[3]) + 1 do redis.call('HDEL', KEYS[1], others[i].field) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1`;

interface WithAddition {
  addSession(key: string, ...args: (string | number)[]): Promise<unknown>;
}

/** Sessions in Redis, limited in number per key; tokens and records are authenticated by MACs: docs/adr/0027. */
export function createSessions({ redis, secret: installationSecret, now, forged }: RecordStoreOptions): Sessions {
  redis.defineCommand('addSession', { numberOfKeys: 1, lua: addition });
  const commands = redis as unknown as WithAddition;
  const retried = createRedisRetry(redis, SessionsUnavailable);
  const tokens = sessionTokens(installationSecret);
  const records = sealedRecords(installationSecret, 'projectdomain session record', fields);
  let newest = 0;
  return {
    async open({ account, keyId, agent }: Session) {
      const token = tokens.make(keyId, randomBytes(secretBytes));
      const field = fieldOf(token.secret);
      newest = Math.max(now(), newest + 1);
      const times = { created: newest, expires: newest + sessionSeconds * 1_000 };
      const record = records.seal(field, { account, keyId, agent, ...times });
      await retried(() => commands.addSession(keyOf(keyId), field, record, sessionsPerKey, sessionSeconds));
      return textOfToken(token);
    },
    async find(token) {
      const ours = tokens.read(token);
      if (ours === null) return null;
      const { keyId } = ours;
      const field = fieldOf(ours.secret);
      const text = await retried(() => redis.hget(keyOf(keyId), field));
      if (text === null) return null;
      const record = records.open(field, text);
      if (record?.keyId !== keyId) {
        forged();
        return null;
      }
      const { account, agent, expires } = record;
      return expires > now() ? { account, keyId, agent } : null;
    },
    async end(token) {
      const ours = tokens.read(token);
      if (ours !== null) await retried(() => redis.hdel(keyOf(ours.keyId), fieldOf(ours.secret)));
    },
  };
}

/**
 * The token of a session's cookie: the public part of its API key, a dot, and in base64url the secret (128 bits) with a MAC over both
 * (128 bits), by which a made-up cookie is refused before anything is looked up.
 */
const shape = /^([A-Za-z0-9]{8,32})\.([A-Za-z0-9_-]{43})$/;

const secretBytes = 16;

interface SessionToken {
  /** public part of the API key that opened the session */
  readonly keyId: string;
  /** secret and MAC, as they stand in the token */
  readonly secret: string;
}

interface SessionTokens {
  /** A token for a secret of `secretBytes` random bytes. */
  make(keyId: string, random: Uint8Array): SessionToken;
  /** Null for a token that this installation did not make. */
  read(token: string): SessionToken | null;
}

/** Makes and reads tokens with a key derived from the installation's HMAC secret for this purpose only. */
export function sessionTokens(installationSecret: Uint8Array): SessionTokens {
  const key = derivedKey(installationSecret, 'projectdomain session token');
  const secretOf = (keyId: string, random: Uint8Array): string => {
    const mac = createHmac('sha256', key).update(`${keyId}.`).update(random).digest().subarray(0, 16);
    return Buffer.concat([random, mac]).toString('base64url');
  };
  return Object.freeze<SessionTokens>({
    make: (keyId, random) => ({ keyId, secret: secretOf(keyId, random) }),
    read(token) {
      const [, keyId = '', secret = ''] = shape.exec(token) ?? [];
      if (secret === '') return null;
      const random = Buffer.from(secret, 'base64url').subarray(0, secretBytes);
      const isOurs = timingSafeEqual(Buffer.from(secret), Buffer.from(secretOf(keyId, random)));
      return isOurs ? { keyId, secret } : null;
    },
  });
}

/** As it stands in the cookie. */
export const textOfToken = ({ keyId, secret }: SessionToken): string => `${keyId}.${secret}`;
