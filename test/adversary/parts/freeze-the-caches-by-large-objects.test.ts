import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { responseLines, createTransport } from '../../../src/kubernetes/transport.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { defaultTimes, startReflector } from '../../../src/kubernetes/reflector.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { FakeApiServer, Script } from '../../support/fake-api-server.ts';
import { object, startFakeApiServer, watchOf, watchRaw } from '../../support/fake-api-server.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

/**
 * A tenant makes objects as large as Kubernetes lets them be, so that a page of a list is longer than anybody reads and no cache
 * is ever filled. Answers are bounded, and a page that is too long is asked for again in smaller ones.
 */

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = { ...defaultTimes, backoffMinMs: 10, backoffMaxMs: 50 };

let server: FakeApiServer;
let transport: Transport;
let stop: AbortController;

beforeEach(async () => {
  server = await startFakeApiServer();
  transport = createTransport(server.connection);
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await transport.close();
  await server.stop();
});

const store = () => createStore<KubernetesObject>({}, () => undefined);
const large = 'x'.repeat(256 * 1_024);

/** Pages as long as they are asked for, of objects with an annotation of 256 KiB. */
const pages =
  (count: number): Script =>
  (response, url) => {
    const from = Number(url.searchParams.get('continue') ?? 0);
    const to = Math.min(count, from + Number(url.searchParams.get('limit')));
    const items = Array.from({ length: to - from }, (_, index) => {
      const thing = object(`thing-${from + index}`, from + index + 1);
      return { ...thing, metadata: { ...thing.metadata, annotations: { large } } };
    });
    const next = to < count ? { continue: String(to) } : {};
    response.writeHead(200).end(JSON.stringify({ metadata: { resourceVersion: '1000', ...next }, items }));
  };

describe('large objects', () => {
  it('are listed all the same, in pages that are small enough', async () => {
    server.script({ lists: [pages(300)], watches: [watchOf()] });
    const held = store();
    startReflector(
      {
        transport,
        kind: things,
        store: held,
        log: silentLog,
        clock: systemClock,
        slices: createTimeSlices(systemClock.elapsed),
        times,
      },
      stop.signal,
    );
    await eventually('all are held', 30_000, () => Promise.resolve(expectThat(held.size === 300, `${held.size}`)));
    expect(server.requests.length).toBeLessThan(50);
  }, 60_000);

  it('that are one answer without end are refused, and asked for no more than with back-off', async () => {
    const endless: Script = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(large));
      };
      response.on('drain', more);
      more();
    };
    server.script({ lists: [endless], watches: [] });
    await expect(transport.call({ method: 'GET', path: '/apis/test.io/v1/things' })).rejects.toThrow('longer than');
  }, 60_000);

  it('that are one line without end are read in time that grows with their length, and cut off', async () => {
    // So many that reading all of it again with each would not end within the time of this test.
    const chunk = new TextEncoder().encode('x'.repeat(64));
    let read = 0;
    async function* endless() {
      while (read < 64 * 1_024 * 1_024) {
        read += chunk.length;
        // Now and then the event loop turns, so that the test can run out of its time.
        await (read % 65_536 === 0 ? turnsOfLoop(1) : Promise.resolve());
        yield chunk;
      }
    }
    await expect(
      (async () => {
        for await (const line of responseLines(endless())) expect(line).toBe('');
      })(),
    ).rejects.toThrow('longer than');
    expect(read).toBeLessThan(20 * 1_024 * 1_024);
  }, 60_000);

  it('that are one event without end let the reflector begin again', async () => {
    server.script({
      lists: [pages(1)],
      watches: [
        watchRaw(`{"type":"ADDED","object":"${'x'.repeat(20 * 1_024 * 1_024)}`, 'silence'),
        watchOf(['ADDED', object('b', 2_000)]),
      ],
    });
    const held = store();
    startReflector(
      {
        transport,
        kind: things,
        store: held,
        log: silentLog,
        clock: systemClock,
        slices: createTimeSlices(systemClock.elapsed),
        times,
      },
      stop.signal,
    );
    await eventually('what follows is held', 30_000, () =>
      Promise.resolve(expectThat(held.size === 2, `${held.size}`)),
    );
  }, 60_000);
});
