import { describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import type { RedirectorRecord } from '../../../src/resources/kubernetes-types.ts';
import { createRedirectorRollout } from '../../../src/controllers/redirector-endpoints/redirector-rollout.ts';
import { reconcileRedirectorEndpoints } from '../../../src/controllers/redirector-endpoints/redirector-endpoints-reconciler.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createCrowd } from '../../support/crowd.ts';
import { settings } from '../../support/snapshot.ts';

/** The one record as an API server keeps it. */
function recordKeeper(addresses?: string) {
  let stored = addresses === undefined ? undefined : ({ data: { addresses } } as RedirectorRecord);
  const written: string[] = [];
  const put = (_: unknown, object: RedirectorRecord) => {
    stored = object;
    written.push(object.data?.addresses ?? '');
    return Promise.resolve(object);
  };
  const cluster = { get: () => Promise.resolve(stored), create: put, replace: put } as unknown as Cluster;
  return { moves: createRedirectorRollout(cluster, { namespace: 'system', name: 'redirector' }), written };
}

describe('the record of where account namespaces lead', () => {
  it('names old and new addresses before the first namespace moves, and the new alone after the last', async () => {
    const { moves, written } = recordKeeper('1');
    const both = () => ['a', 'b'];
    await moves.begin(['2'], both);
    expect(written).toEqual(['1 2']);
    await moves.arrived('a', ['2']);
    expect(written).toEqual(['1 2']);
    await moves.begin(['2'], both);
    await moves.arrived('b', ['2']);
    expect(written).toEqual(['1 2', '2']);
  });

  it('goes on naming an address that an unfinished move may have left behind', async () => {
    const { moves, written } = recordKeeper('1');
    await moves.begin(['2'], () => ['a', 'b']);
    await moves.arrived('a', ['2']);
    await moves.begin(['3'], () => ['a', 'b']);
    await moves.arrived('b', ['2']);
    await moves.arrived('a', ['3']);
    expect(written.at(-1)).toBe('1 2 3');
    await moves.arrived('b', ['3']);
    expect(written.at(-1)).toBe('3');
  });

  it('is finished by a new leader, that knows nothing of the move but the record', async () => {
    const { moves, written } = recordKeeper('1 2');
    await moves.begin(['2'], () => ['a']);
    expect(written).toEqual([]);
    await moves.arrived('a', ['2']);
    expect(written).toEqual(['2']);
  });

  it('is made where there is none, also where no namespace redirects', async () => {
    const { moves, written } = recordKeeper();
    await moves.begin(['2'], () => []);
    await moves.arrived('*', ['2']);
    expect(written).toEqual(['2']);
  });

  it('many visits at a time begin one move', async () => {
    const { moves, written } = recordKeeper('1');
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    await Promise.all(
      names.map(async (name) => {
        await moves.begin(['2'], () => names);
        await moves.arrived(name, ['2']);
      }),
    );
    expect(written).toEqual(['1 2', '2']);
  });
});

describe('a visit to a namespace with a redirect', () => {
  it('moves its slices also where the record cannot be written, and is repeated for the record', async () => {
    const { stores } = createCrowd({ accounts: 1, domainsEach: 1 });
    const applied: string[] = [];
    const apply = (kind: { kind: string }, object: object) => {
      applied.push(kind.kind);
      return Promise.resolve(object);
    };
    const refused = { get: () => Promise.reject(new Error('forbidden')), apply } as unknown as Cluster;
    const dependencies = {
      caches: stores,
      settings,
      cluster: refused,
      rollout: createRedirectorRollout(refused, settings.redirector),
      recentChecks: { since: 0 },
      now: systemClock.now,
      recordEvent: () => undefined,
    } as unknown as ControllerNeeds;
    await expect(reconcileRedirectorEndpoints(dependencies, 'a0')).rejects.toThrow('forbidden');
    expect(applied).toEqual(['Service', 'EndpointSlice']);
  });
});
