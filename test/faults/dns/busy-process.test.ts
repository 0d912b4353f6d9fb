import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Worker } from 'node:worker_threads';
import { createCheckUsage } from '../../../src/dns/lookup/check-budget.ts';
import { exchange } from '../../../src/dns/wire/dns-exchange.ts';
import { holdLoopUntil } from '../../support/hold-loop.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

/** What the server and the test tell each other, by index of a shared array. */
const [port, hasQuery, mayAnswer, hasAnswered] = [0, 1, 2, 3];

/** A server in a thread of its own, which answers when it is told to: as empty as the question was. */
const server = `
const { workerData } = require('node:worker_threads');
const signs = new Int32Array(workerData);
const tell = (index, value) => { Atomics.store(signs, index, value); Atomics.notify(signs, index); };
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (query, from) => {
  tell(${hasQuery}, 1);
  Atomics.wait(signs, ${mayAnswer}, 0);
  query[2] |= 0x80;
  socket.send(query, from.port, from.address, () => tell(${hasAnswered}, 1));
});
socket.bind(0, '127.0.0.1', () => tell(${port}, socket.address().port));
`;

const timeoutMs = 500;

/** The timeout of the query passes when the test says so; the event loop turns as ever. */
beforeEach(() => {
  const doNotFake = ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake] });
});

afterEach(() => void jest.useRealTimers());

describe('a process that is busy for longer than a query may take', () => {
  it('reads an answer that arrived in time, so that its own load is not held against the server', async () => {
    const shared = new SharedArrayBuffer(16);
    const signs = new Int32Array(shared);
    const worker = new Worker(server, { eval: true, workerData: shared });
    try {
      holdLoopUntil(() => Atomics.load(signs, port) !== 0);
      const asked = exchange(
        { address: '127.0.0.1', port: Atomics.load(signs, port) },
        { name: 'www.example.com', type: 'A', recursive: false },
        {
          signal: new AbortController().signal,
          allowance: createCheckUsage(() => true).allowance('127.0.0.1'),
          edns: false,
          timeoutMs,
        },
      );
      while (Atomics.load(signs, hasQuery) === 0) await turnsOfLoop(1);
      Atomics.store(signs, mayAnswer, 1);
      Atomics.notify(signs, mayAnswer);
      holdLoopUntil(() => Atomics.load(signs, hasAnswered) !== 0);
      // The event loop has not turned since: the answer is there, and nobody has read it.
      jest.advanceTimersByTime(timeoutMs + 100);
      expect(await asked).toMatchObject({ rcode: 'NOERROR', answers: [] });
    } finally {
      await worker.terminate();
    }
  });
});
