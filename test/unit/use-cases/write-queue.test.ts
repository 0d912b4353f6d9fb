import { describe, expect, it } from '@jest/globals';
import type { FairQueue, QueueBounds } from '../../../src/use-cases/fair-queue.ts';
import { createWriteQueue } from '../../../src/use-cases/writes/writes.ts';

/** Turns without a cluster: each piece of work ends when the test says so. */

const bounds: QueueBounds = {
  atATime: 3,
  atATimePerAccount: 2,
  waiting: 10,
  waitingPerAccount: 6,
  waitMs: 60_000,
};

interface Scene {
  readonly line: FairQueue;
  /** names of the work that began, in order */
  readonly begun: readonly string[];
  ask(name: string, account: string, more?: { object?: string; signal?: AbortSignal }): Promise<string>;
  /** ends the work of this name, and lets what follows begin */
  end(name: string): Promise<void>;
}

function sceneOf(changes: Partial<QueueBounds> = {}): Scene {
  const line = createWriteQueue({ ...bounds, ...changes });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const never = new AbortController().signal;
  return {
    line,
    begun,
    ask: (name, account, { object, signal = never } = {}) =>
      line
        .run({ account, object: object ?? null, signal }, () => {
          begun.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve('done')));
        })
        .catch((error: { code?: string }) => error.code ?? 'not a problem'),
    async end(name) {
      ends.get(name)?.();
      await turnOver();
    },
  };
}

const turnOver = () => new Promise((resolve) => setImmediate(resolve));

/** Asks `count` times for an account; resolves, once all stand in the line, to what each is going to be told. */
async function asks(scene: Scene, account: string, count: number): Promise<{ told(index: number): Promise<string> }> {
  const answers = Array.from({ length: count }, (_, index) => scene.ask(`${account}${index}`, account));
  await turnOver();
  return { told: (index) => answers[index] ?? Promise.reject(new Error(`there is no ${index}`)) };
}

describe('changes that wait', () => {
  it('go first come, first served within an account, and an account alone leaves room for another', async () => {
    const scene = sceneOf();
    await asks(scene, 'a', 4);
    expect(scene.begun).toEqual(['a0', 'a1']);
    void scene.ask('b0', 'b');
    await turnOver();
    expect(scene.begun).toEqual(['a0', 'a1', 'b0']);
    await scene.end('a0');
    expect(scene.begun.at(-1)).toBe('a2');
  });

  it('take turns by account: a burst delays a single change of another by no more than one write', async () => {
    const scene = sceneOf({ atATime: 1, atATimePerAccount: 1 });
    await asks(scene, 'a', 6);
    void scene.ask('b0', 'b');
    void scene.ask('c0', 'c');
    for (const name of ['a0', 'a1', 'b0', 'c0']) await scene.end(name);
    expect(scene.begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2']);
  });

  it('of one object follow each other, and hold up no other object', async () => {
    const scene = sceneOf();
    void scene.ask('first', 'a', { object: 'shop' });
    void scene.ask('second', 'a', { object: 'shop' });
    void scene.ask('other', 'a', { object: 'blog' });
    await turnOver();
    expect(scene.begun).toEqual(['first', 'other']);
    await scene.end('first');
    expect(scene.begun).toEqual(['first', 'other', 'second']);
  });

  it('are given up when their client goes away, and their place is free', async () => {
    const scene = sceneOf({ atATime: 1, waitingPerAccount: 1 });
    const client = new AbortController();
    await asks(scene, 'a', 1);
    const left = scene.ask('left', 'a', { signal: client.signal });
    await turnOver();
    client.abort();
    expect(await left).toBe('starting');
    void scene.ask('next', 'a');
    await turnOver();
    await scene.end('a0');
    expect(scene.begun).toEqual(['a0', 'next']);
  });

  it('go on after work that failed', async () => {
    const line = createWriteQueue({ ...bounds, atATime: 1 });
    const turn = { account: 'a', object: 'shop', signal: new AbortController().signal };
    await expect(line.run(turn, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await line.run(turn, () => Promise.resolve('done'))).toBe('done');
  });
});

describe('a line that is full', () => {
  it('refuses the account whose own line is full, and nobody else', async () => {
    const scene = sceneOf();
    const answers = await asks(scene, 'a', 9);
    expect(await answers.told(8)).toBe('too-many-writes');
    void scene.ask('b0', 'b');
    await turnOver();
    expect(scene.begun).toContain('b0');
  });

  it('of everybody takes the last place of the longest line for an account that has less', async () => {
    const scene = sceneOf({ atATime: 1, atATimePerAccount: 1, waiting: 6 });
    const burst = await asks(scene, 'a', 7);
    const single = scene.ask('b0', 'b');
    expect(await burst.told(6)).toBe('too-many-writes');
    await scene.end('a0');
    await scene.end('a1');
    expect(scene.begun).toContain('b0');
    await scene.end('b0');
    expect(await single).toBe('done');
  });

  it('of equals refuses the one that comes', async () => {
    const scene = sceneOf({ atATime: 1, atATimePerAccount: 1, waiting: 2 });
    for (const account of ['a', 'b', 'c']) await asks(scene, account, 1);
    expect(await scene.ask('d0', 'd')).toBe('overloaded');
  });

  it('refuses what has waited too long', async () => {
    const scene = sceneOf({ atATime: 1, waitMs: 5 });
    await asks(scene, 'a', 1);
    expect(await scene.ask('late', 'b')).toBe('overloaded');
    expect(scene.begun).toEqual(['a0']);
  });
});

describe('figures of a line', () => {
  it('say how many run and wait, and are zero again at the end', async () => {
    const scene = sceneOf({ atATime: 1 });
    await asks(scene, 'a', 3);
    expect(Object.fromEntries(scene.line.counts())).toEqual({ running: 1, waiting: 2 });
    for (const name of ['a0', 'a1', 'a2']) await scene.end(name);
    expect(Object.fromEntries(scene.line.counts())).toEqual({ running: 0, waiting: 0 });
  });
});
