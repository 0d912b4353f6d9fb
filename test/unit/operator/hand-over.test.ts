import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/kube/port.ts';
import type { Call, Transport } from '../../../src/kube/transport.ts';
import { handOver } from '../../../src/operator/hand-over.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** What the operator gives the API server beside it, and that it never stops giving it. */

let folder: string;
let clock: FakeClock;
let calls: Call[];
let refusing: boolean;
let key: string | null;
let ended: AbortController;

const minute = 60_000;
const content = (name: string) => readFileSync(join(folder, name), 'utf8');

const transport: Transport = {
  call: <T>(call: Call) => {
    calls.push(call);
    if (refusing) return Promise.reject(new Error('the API server is away'));
    const expirationTimestamp = new Date(clock.now() + 30 * minute).toISOString();
    return Promise.resolve({ status: { token: `token-${calls.length}`, expirationTimestamp } } as T);
  },
  stream: () => Promise.reject(new Error('no streams here')),
  close: () => Promise.resolve(),
};

const cluster = {
  get: () => Promise.resolve(key === null ? undefined : { data: { key: Buffer.from(key).toString('base64') } }),
} as unknown as Cluster;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projectdomain-hand-over-'));
  writeFileSync(join(folder, 'own-ca.crt'), 'PEM');
  clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'));
  calls = [];
  refusing = false;
  key = 'k'.repeat(32);
  ended = new AbortController();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function begin(): Promise<void> {
  const identity = mkdtempSync(join(folder, 'own-'));
  writeFileSync(join(identity, 'ca.crt'), 'PEM');
  const config = { systemNamespace: 'system', sidecar: { serviceAccount: 'projectdomain-api', folder } };
  return handOver({ transport, cluster, config, identity, clock, log: silentLog }, ended.signal);
}

/** Reading and writing files takes turns of the event loop that the clock knows nothing of. */
const written = async (name: string) => {
  for (let turn = 0; turn < 200; turn += 1) {
    await clock.advance(0);
    try {
      return content(name);
    } catch {
      await new Promise((done) => setTimeout(done, 5));
    }
  }
  throw new Error(`${name} was never written`);
};

const eventually = async (name: string, wanted: string) => {
  for (let turn = 0; turn < 200 && (await written(name)) !== wanted; turn += 1)
    await new Promise((done) => setTimeout(done, 5));
  return written(name);
};

describe('the hand-over', () => {
  it('gives a token of the other ServiceAccount, the authority and the key, readable by nobody else', async () => {
    const over = begin();
    expect(await written('token')).toBe('token-1');
    expect(await written('ca.crt')).toBe('PEM');
    expect(await written('hmac.key')).toBe('k'.repeat(32));
    for (const name of ['token', 'hmac.key']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/system/serviceaccounts/projectdomain-api/token',
    });
    ended.abort();
    await over;
  });

  it('renews the token at four fifths of its life', async () => {
    const over = begin();
    await eventually('ca.crt', 'PEM');
    await clock.advance(23 * minute);
    expect(calls).toHaveLength(1);
    await clock.advance(2 * minute);
    expect(await eventually('token', 'token-2')).toBe('token-2');
    ended.abort();
    await over;
  });

  it('asks again, for ever, while the API server is away, and leaves what it gave before', async () => {
    const over = begin();
    await eventually('ca.crt', 'PEM');
    refusing = true;
    await clock.advance(60 * minute);
    expect(calls.length).toBeGreaterThan(100);
    expect(content('token')).toBe('token-1');
    refusing = false;
    await clock.advance(3_000);
    expect(await eventually('token', `token-${calls.length}`)).toBe(`token-${calls.length}`);
    ended.abort();
    await over;
  });

  it('waits for a key that is not made yet', async () => {
    key = null;
    const over = begin();
    await written('token');
    await clock.advance(10_000);
    expect(() => content('hmac.key')).toThrow('ENOENT');
    key = 'l'.repeat(32);
    await clock.advance(1_000);
    expect(await written('hmac.key')).toBe('l'.repeat(32));
    ended.abort();
    await over;
  });

  it('does nothing where the API server runs elsewhere', async () => {
    const config = { systemNamespace: 'system', sidecar: null };
    await handOver({ transport, cluster, config, identity: folder, clock, log: silentLog }, ended.signal);
    expect(calls).toEqual([]);
  });
});
