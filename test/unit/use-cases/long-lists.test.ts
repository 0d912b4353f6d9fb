import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rememberedAtOnce } from '../../../src/use-cases/domain-views.ts';
import { findDomains, createLongLists } from '../../../src/use-cases/find-domains.ts';
import type { FairQueue } from '../../../src/use-cases/fair-queue.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Fails when an account makes lists of many domains at one time, each of which takes slices of the event loop that all others wait for. */

const signal = new AbortController().signal;
const turnOf = (account: string) => ({ account, object: null, signal });

/** Work that ends when it is told to. */
function held() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { work, running: () => ends.length, endAll: () => ends.splice(0).forEach((end) => end()) };
}

const turns = () => new Promise(setImmediate);

describe('lists of many domains', () => {
  it.each<[string, readonly string[], number]>([
    ['of one account are made one at a time', ['acme', 'acme', 'acme'], 1],
    ['of two accounts are made beside each other', ['acme', 'acme', 'other'], 2],
    ['of many accounts are made two at a time', ['acme', 'other', 'third'], 2],
  ])('%s', async (_, accounts, atATime) => {
    const lists = createLongLists();
    const { work, running, endAll } = held();
    const all = accounts.map((account) => lists.run(turnOf(account), work));
    await turns();
    expect(running()).toBe(atATime);
    while (running() > 0) {
      endAll();
      await turns();
    }
    await Promise.all(all);
  });

  it('of one account are refused when ten are asked for at a time, and those of others are not', async () => {
    const lists = createLongLists();
    const { work, endAll } = held();
    const waiting = Array.from({ length: 9 }, () => lists.run(turnOf('acme'), work));
    await expect(lists.run(turnOf('acme'), work)).rejects.toMatchObject({ code: 'overloaded' });
    await expect(lists.run(turnOf('other'), () => Promise.resolve('made'))).resolves.toBe('made');
    for (const list of waiting) {
      endAll();
      await list;
    }
  });
});

describe('a list', () => {
  let api: InMemoryApi;
  let key: string;
  beforeEach(() => {
    api = createInMemoryApi();
    key = api.account('acme', 'business');
    for (let index = 0; index <= rememberedAtOnce; index += 1) api.domain('acme', `h${index}.example.com`);
  });
  afterEach(() => api.stop());

  it.each<[string, string, readonly string[]]>([
    ['of more domains than are remembered waits for its turn', 'example', ['acme']],
    ['that is short by its filter does not', 'h19', []],
  ])('%s', async (_, text, taken) => {
    const accounts: string[] = [];
    const longLists: Pick<FairQueue, 'run'> = {
      run(turn, work) {
        accounts.push(turn.account);
        return work();
      },
    };
    const context = api.as(key);
    const asked = { ...context, dependencies: { ...context.dependencies, longLists } };
    const { total } = await findDomains(asked, { project: 'shop', filter: { status: null, text }, page: 1, size: 40 });
    expect({ total, accounts }).toEqual({ total: rememberedAtOnce + 1, accounts: taken });
  });
});
