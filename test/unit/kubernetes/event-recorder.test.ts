import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventRecord } from '../../../src/kubernetes/kubernetes-port.ts';
import { createEventRecorder } from '../../../src/kubernetes/event-recorder.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';
import { kubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const minute = 60_000;
let clock: FakeClock;
let ending: AbortController;
let calls: Call[];
let answer: () => Promise<unknown>;
let recordEvent: (eventRecord: EventRecord) => void;

beforeEach(() => {
  clock = createFakeClock();
  ending = new AbortController();
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
  recordEvent = createEventRecorder({ transport, log: silentLog, clock }, ending.signal);
});

afterEach(() => ending.abort());

const say = (message: string, namespace?: string, name = 'x', reason = 'Odd'): EventRecord => ({
  about: {
    apiVersion: 'test.io/v1',
    kind: 'Thing',
    metadata: { name, uid: `u-${name}`, ...(namespace === undefined ? {} : { namespace }) },
  },
  type: 'Warning',
  reason,
  message,
});

describe('telling people with Events', () => {
  it('an event stands beside its object and points at it', () => {
    recordEvent(say('hello', 'acme'));
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/apis/events.k8s.io/v1/namespaces/acme/events',
      body: { type: 'Warning', reason: 'Odd', note: 'hello', regarding: { name: 'x', uid: 'u-x', namespace: 'acme' } },
    });
  });

  it('an event about a cluster-scoped object stands in default', () => {
    recordEvent(say('hello'));
    expect(calls[0]?.path).toBe('/apis/events.k8s.io/v1/namespaces/default/events');
  });

  it.each([
    ['of ASCII', 'x'],
    ['of two bytes a character', 'ü'],
    ['outside of the basic plane', '🦊'],
  ])('a note %s is cut to the bytes that an Event may hold, at the end of a character', (_, character) => {
    recordEvent(say(character.repeat(5_000)));
    const { note } = calls[0]?.body as { note: string };
    expect(note).toMatch(new RegExp(`^(?:${character})+…$`, 'u'));
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(note)).toBeGreaterThan(1_024 - 4);
  });

  it('a note has nothing that a terminal obeys or hides, on one line', () => {
    recordEvent(say('refused: \u001b]52;c;cm0=\u0007\u009b31m\u202e\u2066\u200b\ud800\nNormal: all is well'));
    expect((calls[0]?.body as { note: string }).note).toBe('refused: ?]52;c;cm0=??31m?????Normal: all is well');
  });

  it('with an API server that does not answer, no more than fifty are under way', async () => {
    const pending = Promise.withResolvers<unknown>();
    answer = () => pending.promise;
    for (let at = 0; at < 200; at += 1) recordEvent(say('hello', 'acme', `x${at}`));
    expect(calls.length).toBe(50);
    pending.reject(new Error('refused'));
    await new Promise(setImmediate);
    recordEvent(say('once more'));
    expect(calls.length).toBe(51);
  });
});

describe('an event that occurs again', () => {
  const seriesSent = () => calls.slice(1).map(({ method, body }) => [method, (body as { series?: unknown }).series]);
  const series = (count: number, at: number) => ({
    count,
    lastObservedTime: new Date(at).toISOString().replace('Z', '000Z'),
  });

  it('becomes a series with its second occurrence, and further ones are only counted', async () => {
    for (let at = 0; at < 5; at += 1) {
      recordEvent(say('hello', 'acme'));
      await clock.advance(1_000);
    }
    expect(seriesSent()).toEqual([['PATCH', series(2, 1_000)]]);
    const { name } = (calls[0]?.body as { metadata: { name: string } }).metadata;
    expect(calls[1]).toMatchObject({
      path: `/apis/events.k8s.io/v1/namespaces/acme/events/${name}`,
      contentType: 'application/strategic-merge-patch+json',
    });
  });

  it('has its last count written when nothing has occurred for six minutes, and is a new event after that', async () => {
    for (let at = 0; at < 5; at += 1) recordEvent(say('hello', 'acme'));
    await clock.advance(13 * minute);
    expect(seriesSent()).toEqual([
      ['PATCH', series(2, 0)],
      ['PATCH', series(5, 0)],
    ]);
    recordEvent(say('hello', 'acme'));
    expect(calls.at(-1)?.method).toBe('POST');
  });

  it('and goes on for long has its count written every half hour', async () => {
    for (let at = 0; at < 16; at += 1) {
      recordEvent(say('hello', 'acme'));
      await clock.advance(4 * minute);
    }
    expect(seriesSent()).toEqual([
      ['PATCH', series(2, 4 * minute)],
      ['PATCH', series(8, 28 * minute)],
      ['PATCH', series(15, 56 * minute)],
    ]);
  });

  it.each<[sentence: string, other: EventRecord]>([
    ['that says something else: what it said first would stand for what is so now', say('goodbye', 'acme')],
    ['of another reason', say('hello', 'acme', 'x', 'Other')],
    ['about another object', say('hello', 'acme', 'y')],
  ])('is no occurrence of one %s', (_, other) => {
    recordEvent(say('hello', 'acme'));
    recordEvent(other);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  it('and whose Event has expired or was never written is created with its count', async () => {
    recordEvent(say('hello', 'acme'));
    answer = () =>
      calls.at(-1)?.method === 'PATCH' ? Promise.reject(kubernetesError(404, '', undefined)) : Promise.resolve({});
    recordEvent(say('hello', 'acme'));
    await clock.advance(0);
    expect(seriesSent().map(([method]) => method)).toEqual(['PATCH', 'POST']);
    expect(calls.at(-1)?.body).toMatchObject({ note: 'hello', series: { count: 2 } });
  });

  it('about one object in ever new ways is recorded 25 times, then once in five minutes', async () => {
    for (let at = 0; at < 100; at += 1) recordEvent(say('hello', 'acme', 'x', `Reason${at}`));
    expect(calls.length).toBe(25);
    recordEvent(say('hello', 'acme', 'y'));
    expect(calls.length).toBe(26);
    await clock.advance(5 * minute);
    for (let at = 0; at < 100; at += 1) recordEvent(say('hello', 'acme', 'x', `Later${at}`));
    expect(calls.length).toBe(27);
  });
});
