import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/**
 * Bodies that are huge, that grow when they are unpacked or nest without end, meant to cost memory or the stack. At most 64 KiB
 * are read, packed or not, and of those only the fields that a call knows; nothing of them is written.
 */

let api: ApiOnStores;
let key: string;

beforeAll(async () => {
  api = await startApiOnStores();
  ({ key } = api.account('flooder', 'pro'));
});

afterAll(() => api.stop());

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const megabytes = (count: number) => 'a'.repeat(count * 1_024 * 1_024);

async function send(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${api.url}/v1/projects/shop/domains`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
  });
  const { code } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`;
}

describe('a body', () => {
  it.each<[string, string | Uint8Array, Readonly<Record<string, string>>, string]>([
    ['of 10 MB', `{"hostname": "${megabytes(10)}"}`, {}, '413 payload-too-large'],
    [
      'that is small when packed and 50 MB unpacked',
      gzipSync(`{"hostname": "${megabytes(50)}"}`),
      { 'content-encoding': 'gzip' },
      '413 payload-too-large',
    ],
    ['of arrays 30,000 deep', nested(30_000), {}, '400 malformed-request'],
    ['with a hostname of arrays 30,000 deep', `{"hostname": ${nested(30_000)}}`, {}, '400 malformed-request'],
    ['of objects 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, {}, '400 unknown-field'],
    [
      'with 6,000 unknown fields',
      `{${Array.from({ length: 6_000 }, (_, i) => `"${i}":1`).join()}}`,
      {},
      '400 unknown-field',
    ],
    ['that claims an encoding nobody knows', '{}', { 'content-encoding': 'x-bomb' }, '415 unsupported-media-type'],
    ['that is packed twice', gzipSync(gzipSync('{}')), { 'content-encoding': 'gzip' }, '400 malformed-request'],
    ['with a prototype of its own', '{"__proto__": {"role": "redirect"}, "hostname": "a"}', {}, '400 unknown-field'],
    ['with a constructor of its own', '{"constructor": {"prototype": {}}, "hostname": "a"}', {}, '400 unknown-field'],
    ['that is no text', Uint8Array.from({ length: 60_000 }, () => 0xff), {}, '400 malformed-request'],
  ])('%s is refused', async (_, body, headers, expected) => {
    expect(await send(body, headers)).toBe(expected);
  });

  it('of any of these kinds has written nothing, and the next request is answered', async () => {
    expect(api.cluster.written).toEqual([]);
    expect(await send('{"hostname": "www.example.com"}')).toBe('201 undefined');
  });
});
