import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/** Whoever has the id of an answer finds every line that was logged on the way to it. */

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

let api: ApiOnStores;
let lines: Line[];
let key: string;

beforeEach(async () => {
  lines = [];
  api = await startApiOnStores({
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Line) }),
  });
  key = api.account('acme', 'pro').key;
  const faulty = (what: string) => () => Promise.reject(new RangeError(what));
  Object.assign(api.cluster, { create: faulty('no create'), applyStatus: faulty('no status') });
});

afterEach(() => api.stop());

const ask = (requestId: string, hostname: string): Promise<Response> =>
  fetch(`${api.url}/v1/projects/shop/domains`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
      'x-forwarded-for': '192.0.2.1',
    },
    // Longer than what arrives with the headers: the rest of the request goes on when the socket says so.
    body: JSON.stringify({ hostname }).padEnd(60_000),
  });

const served = (count: number): Promise<void> =>
  eventually('the last lines', 5_000, () => {
    const seen = lines.filter(({ msg }) => msg === 'served').length;
    return Promise.resolve(expectThat(seen === count, `${seen}`));
  });

const linesOf = (requestId: string) =>
  lines.flatMap((line) => (line.requestId === requestId ? [line.msg] : [])).toSorted();

describe('every line of a request', () => {
  it('carries its id: of its connection, of its fault, of what nobody waits for, and the last', async () => {
    const answer = await ask('first', 'www.example.com');
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { requestId: string }).requestId).toBe('first');
    await served(1);
    expect(lines).toHaveLength(4);
    expect(linesOf('first')).toEqual([
      expect.stringContaining('X-Forwarded-For'),
      'a request failed',
      'served',
      'the status of a key could not be written',
    ]);
    const fault = lines.find(({ msg }) => msg === 'a request failed');
    expect(fault?.err).toMatchObject({ message: 'no create' });
    expect(fault?.err?.stack).toContain('request-lines.test.ts');
  });

  it('carries its own id while others are answered', async () => {
    await Promise.all(['a', 'b', 'c'].map((id) => ask(id, `${id}.example.com`)));
    await served(3);
    for (const id of ['a', 'b', 'c']) {
      expect(linesOf(id)).toEqual(expect.arrayContaining(['a request failed', 'served']));
    }
    expect(lines.filter(({ msg }) => msg === 'a request failed')).toHaveLength(3);
  });
});
