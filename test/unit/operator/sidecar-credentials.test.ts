import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';
import { provideSidecarCredentials } from '../../../src/operator/sidecar-credentials.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** What the operator gives the API server beside it, and that it never stops giving it. */

let folder: string;
let clock: FakeClock;
let calls: Call[];
let refusing: boolean;
let key: string | null;
let ended: AbortController;
let ready: PromiseWithResolvers<void>;
/** the Secret that tokens are bound to; null while there is none */
let tokens: string | null;
let secretsMade: number;

const minute = 60_000;
const hour = 60 * minute;
/** the longest life that the API server of Kubernetes gives a token */
let longestMs: number;
const content = (name: string) => readFileSync(join(folder, name), 'utf8');

const transport: Transport = {
  call: <T>(call: Call) => {
    calls.push(call);
    if (refusing) return Promise.reject(new Error('the API server is away'));
    const { expirationSeconds } = (call.body as { spec: { expirationSeconds: number } }).spec;
    const lifeMs = Math.min(expirationSeconds * 1_000, longestMs);
    const expirationTimestamp = new Date(clock.now() + lifeMs).toISOString();
    return Promise.resolve({ status: { token: `token-${calls.length}`, expirationTimestamp } } as T);
  },
  stream: () => Promise.reject(new Error('no streams here')),
  close: () => Promise.resolve(),
};

const secrets: Readonly<Record<string, () => object | undefined>> = {
  'projectdomain-hmac': () => (key === null ? undefined : { data: { key: Buffer.from(key).toString('base64') } }),
  'projectdomain-api-tokens': () => (tokens === null ? undefined : { metadata: { uid: tokens } }),
};

const cluster = {
  get: (_: unknown, { name }: { name: string }) => Promise.resolve(secrets[name]?.()),
  create: (_: unknown, { metadata }: { metadata: { name: string } }) => {
    expect(metadata.name).toBe('projectdomain-api-tokens');
    secretsMade += 1;
    tokens = `uid-${secretsMade}`;
    return Promise.resolve({ metadata: { uid: tokens } });
  },
} as unknown as Cluster;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projectdomain-hand-over-'));
  writeFileSync(join(folder, 'own-ca.crt'), 'PEM');
  clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'));
  calls = [];
  refusing = false;
  key = 'k'.repeat(32);
  tokens = null;
  secretsMade = 0;
  longestMs = Number.POSITIVE_INFINITY;
  ended = new AbortController();
  ready = Promise.withResolvers();
  ready.resolve();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function begin(): Promise<void> {
  const identity = mkdtempSync(join(folder, 'own-'));
  writeFileSync(join(identity, 'ca.crt'), 'PEM');
  const config = { systemNamespace: 'system', sidecar: { serviceAccount: 'projectdomain-api', folder } };
  const parts = { transport, cluster, config, identity, ready: ready.promise, clock, log: silentLog };
  return provideSidecarCredentials(parts, ended.signal);
}

/** Reading and writing files takes turns of the event loop that the clock knows nothing of. */
const written = async (name: string) => {
  while (!existsSync(join(folder, name))) await clock.advance(0);
  return content(name);
};

const eventually = async (name: string, wanted: string) => {
  while ((await written(name)) !== wanted) await clock.advance(0);
  return content(name);
};

/** Time passes in steps, as each look takes turns of the event loop. */
const passed = async (ms: number) => {
  for (let left = ms; left > 0; left -= 5_000) await clock.advance(Math.min(left, 5_000));
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

  it('gives a token that outlives an operator that is away for a day and the next, and ends with a Secret', async () => {
    const over = begin();
    await eventually('ca.crt', 'PEM');
    expect(calls[0]?.body).toMatchObject({
      spec: {
        expirationSeconds: 48 * 3_600,
        boundObjectRef: { kind: 'Secret', name: 'projectdomain-api-tokens', uid: 'uid-1' },
      },
    });
    ended.abort();
    await over;
  });

  it.each<[string, number, number, number]>([
    ['every hour', Number.POSITIVE_INFINITY, 59 * minute, 2 * minute],
    ['at four fifths of its life where Kubernetes gives it less', 30 * minute, 23 * minute, 2 * minute],
  ])('renews the token %s', async (_, longest, notYet, then) => {
    longestMs = longest;
    const over = begin();
    await eventually('ca.crt', 'PEM');
    await passed(notYet);
    expect(calls).toHaveLength(1);
    await passed(then);
    expect(await eventually('token', 'token-2')).toBe('token-2');
    ended.abort();
    await over;
  });

  it.each<[string, string | null]>([
    ['was deleted', null],
    ['was made anew by somebody else', 'another'],
  ])('gives a new token within seconds when the Secret that ends them %s', async (_, now) => {
    const over = begin();
    await eventually('ca.crt', 'PEM');
    tokens = now;
    await passed(20_000);
    expect(await eventually('token', 'token-2')).toBe('token-2');
    expect(calls[1]?.body).toMatchObject({ spec: { boundObjectRef: { uid: now ?? 'uid-2' } } });
    ended.abort();
    await over;
  });

  it('asks again, for ever, while the API server is away, and leaves what it gave before', async () => {
    const over = begin();
    await eventually('ca.crt', 'PEM');
    refusing = true;
    await passed(2 * hour);
    expect(calls.length).toBeGreaterThan(10);
    expect(content('token')).toBe('token-1');
    refusing = false;
    await passed(3_000);
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

  it('gives the key only once the operator could lead, so that a Pod never counts as begun before', async () => {
    ready = Promise.withResolvers();
    const over = begin();
    await eventually('ca.crt', 'PEM');
    await passed(minute);
    expect(() => content('hmac.key')).toThrow('ENOENT');
    ready.resolve();
    expect(await written('hmac.key')).toBe('k'.repeat(32));
    ended.abort();
    await over;
  });

  it('does nothing where the API server runs elsewhere', async () => {
    const config = { systemNamespace: 'system', sidecar: null };
    const parts = { transport, cluster, config, identity: folder, ready: ready.promise, clock, log: silentLog };
    await provideSidecarCredentials(parts, ended.signal);
    expect(calls).toEqual([]);
  });
});
