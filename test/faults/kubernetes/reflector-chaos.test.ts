import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { startReflector } from '../../../src/kubernetes/reflector.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { startFakeApiServer } from '../../support/fake-api-server.ts';
import type { Change } from '../../support/scripted-dependencies.ts';
import { createScriptedWorld, faults, names } from '../../support/scripted-dependencies.ts';
import { fc } from '../../support/property.ts';

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = {
  idleMs: 150,
  trustedMs: 60_000,
  backoffMinMs: 1,
  backoffMaxMs: 5,
  watchMinMs: 300_000,
  watchMaxMs: 300_000,
};

const changes = fc.array(
  fc.record<Change>({
    verb: fc.constantFrom('write', 'delete', 'make anew'),
    name: fc.constantFrom(...names),
    answered: fc.constantFrom('never', 'at once', 'late'),
  }),
  { maxLength: 4 },
);
const steps = fc.array(fc.record({ fault: fc.constantFrom(...faults), changes }), { maxLength: 10 });

/** What listeners were told, taken at its word; complains of what cannot be. */
function replay(): {
  readonly hear: (type: string, object: KubernetesObject) => void;
  readonly uids: Map<string, string>;
} {
  const uids = new Map<string, string>();
  return {
    uids,
    hear(type, { metadata: { name, uid = '' } }) {
      expectThat(type === 'added' ? !uids.has(name) : uids.get(name) === uid, `${type} ${name} ${uid} cannot be`);
      if (type === 'deleted') uids.delete(name);
      else uids.set(name, uid);
    },
  };
}

describe('a reflector in any weather', () => {
  it('ends equal to the truth, and its listeners too, whatever happens between and during its requests', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (weather) => {
        const server = await startFakeApiServer();
        const transport = createTransport(server.connection);
        const stop = new AbortController();
        const complaints: unknown[] = [];
        const store = createStore<KubernetesObject>({}, (error) => complaints.push(error));
        const told = replay();
        store.subscribe(({ type, object }) => told.hear(type, object));
        const setup = createScriptedWorld(weather);
        server.script({ lists: [setup.list], watches: [setup.watch] });
        try {
          const reflector = startReflector(
            {
              transport,
              kind: things,
              store,
              log: silentLog,
              clock: systemClock,
              slices: createTimeSlices(systemClock.elapsed),
              times,
            },
            stop.signal,
          );
          setup.onAnswer = (written) => reflector.written(written as unknown as KubernetesObject);
          await eventually('the store equals the truth', 10_000, () => {
            const seen = store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
            expectThat(setup.settled(), 'more is to come');
            expectThat(
              seen.toSorted().join() === setup.truth().join(),
              `${seen.join()} is not ${setup.truth().join()}`,
            );
            return Promise.resolve();
          });
          expect(complaints).toEqual([]);
          expect([...told.uids].toSorted()).toEqual(
            store
              .list()
              .map(({ metadata }) => [metadata.name, metadata.uid])
              .toSorted(),
          );
        } finally {
          stop.abort();
          await transport.close();
          await server.stop();
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
  }, 120_000);
});
