import { describe, expect, it } from '@jest/globals';
import { messageOf } from '../../../src/lib/error-serializer.ts';
import { serveHealth } from '../../../src/lib/health-server.ts';
import { freePort } from '../../support/redis.ts';

/** What is said of a thrown value in one line. */

describe('the message', () => {
  it.each<[string, unknown, string]>([
    ['of an error is its own', new RangeError('too many'), 'too many'],
    ['of an error without one is its name', new AggregateError([]), 'AggregateError'],
    ['of a text is the text', 'gone', 'gone'],
    ['of nothing says so', undefined, 'undefined'],
  ])('%s', (_, thrown, wanted) => {
    expect(messageOf(thrown)).toBe(wanted);
  });

  it('is what the health port answers when metrics fail', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const metrics = () => Promise.reject(new RangeError('no metrics'));
    const stop = await serveHealth(address, { notReady: () => null, metrics });
    try {
      const answer = await fetch(`http://${address}/metrics`);
      expect([answer.status, await answer.text()]).toEqual([500, 'no metrics\n']);
    } finally {
      await stop();
    }
  });
});
