import { readFileSync } from 'node:fs';
import type { RedisOptions } from 'ioredis';
import type { RedisPlace } from './redis-client.ts';

type Login = Pick<RedisOptions, 'password' | 'username' | 'tls' | 'sentinelTLS' | 'sentinelPassword'>;

/** What the files say at this moment. Throws when one cannot be read. */
export function login({ url, passwordFile, caFile, sentinels = [], sentinelPasswordFile = null }: RedisPlace): Login {
  const { protocol, username, password } = new URL(url);
  const tls = protocol === 'rediss:' ? { ...(caFile === null ? {} : { ca: readFileSync(caFile) }) } : null;
  return {
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(passwordFile === null ? {} : { password: secretIn(passwordFile) }),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(tls === null ? {} : { tls }),
    ...(tls !== null && sentinels.length > 0 ? { sentinelTLS: tls } : {}),
    ...(sentinelPasswordFile === null ? {} : { sentinelPassword: secretIn(sentinelPasswordFile) }),
  };
}

const secretIn = (file: string): string => readFileSync(file, 'utf8').trim();
