import { describe, expect, it } from '@jest/globals';
import { rejectionOf } from '../../../src/rules/acceptance.ts';
import { competitorsOf, precedenceOf } from '../../../src/rules/precedence.ts';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import { claim, domain, limits, snapshot } from '../../support/snapshot.ts';

/**
 * As many domains as the plan allows are deleted and kept by finalizers, and as many more are added. A deleted one counts until its claim is given up,
 * which is once its route is gone: never more are served than the plan allows.
 */

const cap = 10;
const deletionTimestamp = '2026-01-01T11:00:00Z';

/** The domains of one project that hold their hostnames, each deleted and kept. */
function keptDomains(count: number): Crowd {
  const crowd = createCrowd({ accounts: 1, domainsEach: count });
  const { stores } = crowd;
  for (let index = 0; index < count; index += 1) {
    const one = crowd.domain(0, index);
    const { name, namespace = '' } = one.metadata;
    stores.claims.put({
      ...claim({ account: stores.accounts.list()[0]?.spec.id ?? '', holder: { namespace, name } }),
      metadata: { name: one.spec.hostname, uid: `c-${index}`, resourceVersion: `1${index}` },
    });
    stores.domains.put({ ...one, metadata: { ...one.metadata, deletionTimestamp, resourceVersion: `2${index}` } });
  }
  return crowd;
}

const competing = ({ stores, domain: at }: Crowd) => {
  const { metadata, spec } = at(0, 0);
  return stores.precedenceIndex.ofProject(metadata.namespace ?? '', spec.project).length;
};

describe('domains that are deleted and kept', () => {
  it.each([3, 30])(
    'count while they hold their hostnames, and each until its claim is given up: %i of them',
    (count) => {
      const crowd = keptDomains(count);
      const { claims } = crowd.stores;
      expect(competing(crowd)).toBe(count);
      claims.list().forEach((held, index) => {
        const metadata = { ...held.metadata, resourceVersion: `3${index}` };
        claims.put({ ...held, metadata, spec: { ...held.spec, phase: 'Tombstone' } });
        expect(competing(crowd)).toBe(count - index - 1);
      });
      crowd.close();
    },
  );

  it('do not count where they held nothing', () => {
    const crowd = keptDomains(3);
    for (const { metadata } of crowd.stores.claims.list()) crowd.stores.claims.drop({ metadata });
    expect(competing(crowd)).toBe(0);
    crowd.close();
  });

  it.each<[string, 'Held' | 'Tombstone', string | undefined]>([
    ['leave no room for another one', 'Held', 'DomainCapReached'],
    ['leave room once their claims are given up', 'Tombstone', undefined],
  ])('%s, by the same rule for REST', (_, phase, reason) => {
    const kept = Array.from({ length: cap }, (__, index) => {
      const one = domain({ spec: { hostname: `h${index}.example.com`, role: 'Redirect' } });
      return { ...one, metadata: { ...one.metadata, name: `h${index}`, uid: `u-${index}`, deletionTimestamp } };
    });
    const claimOf = (hostname: string) => {
      const [name = ''] = hostname.split('.');
      return { ...claim({ holder: { namespace: 'acme', name }, phase }), metadata: { name: hostname } };
    };
    const next = domain();
    const siblings = competitorsOf(next, kept, { accountId: 'acc-acme', claimOf });
    const candidate = {
      ...snapshot({
        domain: next,
        siblings,
        limits: { ...limits, customDomains: { ...limits.customDomains, maxPerProject: cap } },
      }),
      platformDomains: [],
      precedence: precedenceOf(next, undefined, 'acc-acme'),
    };
    expect(rejectionOf(candidate)?.reason).toBe(reason);
  });
});
