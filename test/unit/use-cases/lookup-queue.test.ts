import { describe, expect, it } from '@jest/globals';
import type { DnsFindings, DnsLookupRequest } from '../../../src/use-cases/dns-lookup-port.ts';
import type { LookupResult, Lookups } from '../../../src/use-cases/lookup-queue.ts';
import { createLookups } from '../../../src/use-cases/lookup-queue.ts';
import { emptyZone } from '../../support/scripted-lookups.ts';

/** Lookups without DNS: each ends when the test says so. */

interface Scene {
  readonly lookups: Lookups;
  /** hostnames whose lookup began, in order */
  readonly begun: readonly string[];
  /** hostnames whose lookup was told to end early */
  readonly aborted: readonly string[];
  readonly results: readonly LookupResult[];
  ask(account: string, hostname: string, signal?: AbortSignal): Promise<string>;
  /** ends the lookups of this hostname */
  end(hostname: string, found?: DnsFindings | Error): Promise<void>;
}

const turnOver = () => new Promise((resolve) => setImmediate(resolve));
const usual = { atATime: 16, atATimePerAccount: 2, waiting: 64, waitingPerAccount: 4, waitMs: 2_000 };

function sceneOf(bounds: Partial<typeof usual> = {}): Scene {
  const begun: string[] = [];
  const aborted: string[] = [];
  const results: LookupResult[] = [];
  const ends = new Map<string, (found: DnsFindings | Error) => void>();
  const look = ({ hostname }: DnsLookupRequest, signal: AbortSignal) => {
    begun.push(hostname);
    return new Promise<DnsFindings>((resolve, reject) => {
      ends.set(hostname, (found) => (found instanceof Error ? reject(found) : resolve(found)));
      signal.addEventListener('abort', () => {
        aborted.push(hostname);
        resolve(emptyZone);
      });
    });
  };
  const observe = (result: LookupResult) => void results.push(result);
  const lookups = createLookups({ dns: { look }, observe, bounds: { ...usual, ...bounds } });
  return {
    lookups,
    begun,
    aborted,
    results,
    async ask(account, hostname, signal = new AbortController().signal) {
      const request = { hostname, target: null, ownership: null, relation: 'Free', routedBy: null } as const;
      const asked = lookups.look(account, request, signal);
      return asked.then(
        ({ zone }) => zone ?? 'no zone',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      );
    },
    async end(hostname, found = emptyZone) {
      await turnOver();
      ends.get(hostname)?.(found);
      await turnOver();
    },
  };
}

const many = (scene: Scene, account: string, count: number) =>
  Array.from({ length: count }, (_, index) => scene.ask(account, `${account}${index}.example.com`));

describe('lookups of one account', () => {
  it('run two at a time, four wait, and the next is refused at once as the account’s own', async () => {
    const scene = sceneOf();
    const answers = many(scene, 'a', 7);
    expect(await answers[6]).toBe('too-many-lookups');
    await turnOver();
    expect(scene.begun).toEqual(['a0.example.com', 'a1.example.com']);
    expect(Object.fromEntries(scene.lookups.counts())).toEqual({ running: 2, waiting: 4 });
  });

  it('that wait too long behind its own are refused as its own', async () => {
    const scene = sceneOf({ waitMs: 5 });
    const answers = many(scene, 'a', 3);
    expect(await answers[2]).toBe('too-many-lookups');
  });

  it('that wait too long behind others are not called its own fault', async () => {
    const scene = sceneOf({ atATime: 1, waitMs: 5 });
    void many(scene, 'a', 1);
    expect(await scene.ask('b', 'b.example.com')).toBe('overloaded');
  });

  it('of the same hostname at the same time are one, and another account’s is another', async () => {
    const scene = sceneOf();
    const same = [
      scene.ask('b', 'www.example.com'),
      scene.ask('a', 'www.example.com'),
      scene.ask('a', 'www.example.com'),
    ];
    await turnOver();
    expect(scene.begun).toHaveLength(2);
    await scene.end('www.example.com');
    expect(await Promise.all(same.slice(1))).toEqual(['example.com', 'example.com']);
  });
});

describe('an account with a thousand lookups', () => {
  it('delays another account’s by nothing while there is room, whatever its own servers do', async () => {
    const scene = sceneOf();
    const flood = many(scene, 'a', 1_000);
    void scene.ask('b', 'b.example.com');
    await turnOver();
    expect(scene.begun).toEqual(['a0.example.com', 'a1.example.com', 'b.example.com']);
    const refused = await Promise.all(flood.slice(6));
    expect(new Set(refused)).toEqual(new Set(['too-many-lookups']));
  });

  it('has one turn to the other’s one where there is room for one at a time', async () => {
    const scene = sceneOf({ atATime: 1, atATimePerAccount: 1 });
    void many(scene, 'a', 1_000);
    void many(scene, 'b', 2);
    for (const name of ['a0', 'a1', 'b0', 'a2']) await scene.end(`${name}.example.com`);
    expect(scene.begun.slice(0, 5)).toEqual(['a0', 'a1', 'b0', 'a2', 'b1'].map((name) => `${name}.example.com`));
  });
});

describe('a client that hangs up', () => {
  it('ends its lookup, and its place is free', async () => {
    const scene = sceneOf({ atATime: 1 });
    const client = new AbortController();
    const gone = scene.ask('a', 'gone.example.com', client.signal);
    void scene.ask('b', 'next.example.com');
    await turnOver();
    client.abort();
    expect(await gone).toBe('starting');
    await turnOver();
    expect(scene.aborted).toEqual(['gone.example.com']);
    expect(scene.begun).toEqual(['gone.example.com', 'next.example.com']);
    expect(scene.results).toEqual(['abandoned']);
  });

  it('ends nothing that another client still waits for', async () => {
    const scene = sceneOf();
    const client = new AbortController();
    void scene.ask('a', 'www.example.com', client.signal);
    const stays = scene.ask('a', 'www.example.com');
    await turnOver();
    client.abort();
    await turnOver();
    expect(scene.aborted).toEqual([]);
    await scene.end('www.example.com');
    expect(await stays).toBe('example.com');
  });

  it('while it waits, never has its lookup begun', async () => {
    const scene = sceneOf({ atATime: 1 });
    void scene.ask('a', 'first.example.com');
    const client = new AbortController();
    const gone = scene.ask('a', 'gone.example.com', client.signal);
    client.abort();
    expect(await gone).toBe('starting');
    await scene.end('first.example.com');
    expect(scene.begun).toEqual(['first.example.com']);
  });
});

describe('what came of a lookup', () => {
  it.each<[string, DnsFindings | Error, LookupResult]>([
    ['the verdict on routing', emptyZone, 'no'],
    ['the verdict on CAA where there is none on routing', { ...emptyZone, routing: null }, 'yes'],
    ['our own fault', new Error('a fault'), 'failed'],
  ])('is counted: %s', async (_, found, result) => {
    const scene = sceneOf();
    void scene.ask('a', 'www.example.com');
    await scene.end('www.example.com', found);
    expect(scene.results).toEqual([result]);
  });

  it('is counted: a refusal', async () => {
    const scene = sceneOf();
    await many(scene, 'a', 7)[6];
    expect(scene.results).toEqual(['refused']);
  });
});
