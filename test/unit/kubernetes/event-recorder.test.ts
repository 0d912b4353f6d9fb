import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventRecord } from '../../../src/kubernetes/event-recorder.ts';
import { createEventRecorder } from '../../../src/kubernetes/event-recorder.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';
import { silentLog } from '../../../src/lib/log.ts';

const minute = 60_000;
let now: number;
let calls: Call[];
let answer: () => Promise<unknown>;
let recordEvent: (eventRecord: EventRecord) => void;

beforeEach(() => {
  now = 0;
  calls = [];
  answer = () => Promise.resolve({});
  const transport: Transport = {
    call: <T>(call: Call) => {
      calls.push(call);
      return answer() as Promise<T>;
    },
    stream: () => Promise.reject(new Error('no watch here')),
    close: () => Promise.resolve(),
  };
  recordEvent = createEventRecorder(transport, silentLog, () => now);
});

const say = (message: string, namespace?: string): EventRecord => ({
  about: {
    apiVersion: 'test.io/v1',
    kind: 'Thing',
    metadata: { name: 'x', uid: 'u', ...(namespace === undefined ? {} : { namespace }) },
  },
  type: 'Warning',
  reason: 'Odd',
  message,
});

describe('telling people with Events', () => {
  it('an event stands beside its object and points at it', () => {
    recordEvent(say('hello', 'acme'));
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/apis/events.k8s.io/v1/namespaces/acme/events',
      body: { type: 'Warning', reason: 'Odd', note: 'hello', regarding: { name: 'x', uid: 'u', namespace: 'acme' } },
    });
  });

  it('an event about a cluster-scoped object stands in default', () => {
    recordEvent(say('hello'));
    expect(calls[0]?.path).toBe('/apis/events.k8s.io/v1/namespaces/default/events');
  });

  it('the same words are said once in ten minutes, other words at once', () => {
    recordEvent(say('hello'));
    now = 9 * minute;
    recordEvent(say('hello'));
    recordEvent(say('other'));
    expect(calls.length).toBe(2);
    now = 10 * minute;
    recordEvent(say('hello'));
    expect(calls.length).toBe(3);
  });

  it('a note is cut to what an Event may hold', () => {
    recordEvent(say('x'.repeat(5_000)));
    expect((calls[0]?.body as { note: string }).note.length).toBe(1_024);
  });

  it('with an API server that does not answer, no more than fifty are under way', async () => {
    const pending = Promise.withResolvers<unknown>();
    answer = () => pending.promise;
    for (let at = 0; at < 200; at += 1) recordEvent(say(`message ${at}`));
    expect(calls.length).toBe(50);
    pending.reject(new Error('refused'));
    await new Promise(setImmediate);
    recordEvent(say('once more'));
    expect(calls.length).toBe(51);
  });
});
