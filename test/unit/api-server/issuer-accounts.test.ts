import { describe, expect, it } from '@jest/globals';
import { createIssuerAccounts } from '../../../src/api-server/dns-lookup.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { silentLog } from '../../../src/lib/log.ts';

/** A cluster whose ClusterIssuer says what the test says, and a clock that moves when the test moves it. */

const uri = 'https://ca.test/acme/1';
const issuerWith = (account: string) => ({ status: { acme: { uri: account } } });

interface Scene {
  readonly account: () => Promise<string | null>;
  reads: number;
  /** what the next reads are answered with */
  answer: () => Promise<unknown>;
  elapsed: number;
}

function sceneOf(answer: Scene['answer']): Scene {
  const get = (() => {
    scene.reads += 1;
    return scene.answer();
  }) as Cluster['get'];
  const clock = { now: () => 0, elapsed: () => scene.elapsed, sleep: () => Promise.resolve() };
  const accounts = createIssuerAccounts({
    cluster: { get },
    issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' },
    clock,
    log: silentLog,
  });
  const scene: Scene = {
    account: async () => (await accounts())[0]?.uri ?? null,
    reads: 0,
    answer,
    elapsed: 0,
  };
  return scene;
}

const turnOver = () => new Promise((resolve) => setImmediate(resolve));

describe("the issuer's account", () => {
  it('is read once for all who ask within a minute, and anew after it', async () => {
    const scene = sceneOf(() => Promise.resolve(issuerWith(uri)));
    await scene.account();
    await turnOver();
    expect([await scene.account(), scene.reads]).toEqual([uri, 1]);
    scene.elapsed = 61_000;
    scene.answer = () => Promise.resolve(issuerWith('https://ca.test/acme/2'));
    await scene.account();
    await turnOver();
    expect([await scene.account(), scene.reads]).toEqual(['https://ca.test/acme/2', 2]);
  });

  it.each<[string, Scene['answer']]>([
    ['may not be read', () => Promise.reject(new Error('403'))],
    ['does not exist', () => Promise.resolve(undefined)],
    ['has no account yet', () => Promise.resolve({ status: {} })],
    ['is not answered for', () => new Promise(() => undefined)],
  ])('is unknown while the issuer %s, and nobody waits for it longer than the patience', async (_, answer) => {
    expect(await sceneOf(answer).account()).toBeNull();
  });

  it('stays the last one known while the cluster is away', async () => {
    const scene = sceneOf(() => Promise.resolve(issuerWith(uri)));
    await scene.account();
    await turnOver();
    scene.elapsed = 61_000;
    scene.answer = () => Promise.reject(new Error('away'));
    await scene.account();
    await turnOver();
    expect(await scene.account()).toBe(uri);
  });
});
