import { readFileSync } from 'node:fs';
import type { RedisOptions } from 'ioredis';

/**
 * Where Redis is: rediss:// for TLS, the ACL user in the URL; passwords and CA (PEM) in files, read again for each
 * connection, so that what is changed in them holds from the next one on.
 */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
  /** `host:port` of each Sentinel; they know where the primary is, and the URL's host and port are not asked */
  readonly sentinels?: readonly string[];
  /** what the Sentinels call the primary */
  readonly name?: string | null;
  readonly sentinelPasswordFile?: string | null;
}

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
