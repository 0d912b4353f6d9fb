import { readFileSync } from 'node:fs';
import type { RedisOptions } from 'ioredis';

/**
 * Where Redis is: rediss:// for TLS, the ACL user in the URL; passwords and CA (PEM) in files, which are read again for
 * each connection, so that a change takes effect with the next one.
 */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
  /** `host:port` of each Sentinel; they know where the primary is, so the URL's host and port are not used */
  readonly sentinels?: readonly string[];
  /** the primary's name in the Sentinels' configuration */
  readonly name?: string | null;
  readonly sentinelPasswordFile?: string | null;
  /** `host:port` of some nodes of a Redis Cluster, which know the others; the URL's host and port are not used */
  readonly cluster?: readonly string[];
}

type Login = Pick<RedisOptions, 'password' | 'username' | 'tls' | 'sentinelTLS' | 'sentinelPassword'>;

/** The credentials as they are at this moment. Throws when a file cannot be read. */
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

/** The host and the port of `host:port` or `[host]:port`. */
export function endpointOf(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}
