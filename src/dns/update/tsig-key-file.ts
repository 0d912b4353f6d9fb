import { readFile } from 'node:fs/promises';
import type { TsigAlgorithm, TsigKey } from './tsig.ts';

export interface TsigKeyFile {
  readonly keyName: string;
  readonly algorithm: TsigAlgorithm;
  /** has the key in base64, as `tsig-keygen` and `keymgr -t` print it */
  readonly secretFile: string;
}

/** Shorter ones can be found out (RFC 8945, section 10.1 advises the length of the digest). */
const leastBytes = 16;

/** Reads a key. Rejects without the file, and where it holds something else. */
export async function readTsigKey({ keyName, algorithm, secretFile }: TsigKeyFile): Promise<TsigKey> {
  const secret = Buffer.from((await readFile(secretFile, 'utf8')).trim(), 'base64');
  if (secret.length < leastBytes) throw new Error(`${secretFile} has no key of at least ${leastBytes} bytes in base64`);
  return { name: keyName, algorithm, secret };
}
