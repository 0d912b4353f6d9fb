import { describe, expect, it } from '@jest/globals';
import { otherIngressTrigger } from '../../../src/controllers/other-ingress-trigger.ts';
import { replaceStoreContents } from '../../../src/kubernetes/replace-store-contents.ts';
import { dividedStore } from '../../../src/operator/operator-watches.ts';
import { createOperatorStores, keptOfIngress } from '../../../src/operator/operator-stores.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { claim, routes } from '../../support/snapshot.ts';

/** Ingresses of others are read beside ours by one watch, and never taken for ours: what looks after ours deletes what has no owner. */

const hostname = 'www.example.com';
const ingress = (name: string, resourceVersion = '1'): Ingress => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
  metadata: { name, namespace: 'acme', uid: `u-${name}`, resourceVersion },
  spec: { rules: [{ host: hostname, http: { paths: [{ path: '/', backend: {} }] } }] },
});
const ours = childName(hostname);

function filled() {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const { ingresses } = stores.routeStores;
  if (!ingresses) throw new Error('routes have no Ingresses');
  const both = dividedStore(ingresses, stores.otherIngresses as unknown as typeof ingresses);
  const keep = keptOfIngress((object) => object);
  const put = (object: Ingress) => both.put(keep(object) ?? object);
  return { stores, both, put, keep };
}

const seenBy = ({ stores }: ReturnType<typeof filled>) => ({
  ours: [...stores.routes.keysIn('ingresses')].map(({ name }) => name),
  others: stores.otherIngresses.byIndex('host', hostname).map(({ metadata }) => metadata.name),
});

describe('Ingresses', () => {
  it('of others are found by hostname, and are nowhere among ours', () => {
    const at = filled();
    [ours, 'old'].forEach((name) => at.put(ingress(name)));
    expect(seenBy(at)).toEqual({ ours: [ours], others: ['old'] });
    expect(at.both.size).toBe(2);
    at.both.drop(ingress('old'));
    expect(seenBy(at)).toEqual({ ours: [ours], others: [] });
  });

  it('that are gone when everything is listed anew are dropped, ours and others', async () => {
    const at = filled();
    for (const name of [ours, childName('gone.example.com'), 'old', 'older']) at.put(ingress(name));
    const replacement = replaceStoreContents(at.both, { next: () => Promise.resolve() });
    await replacement.take([ingress(ours), ingress('old')].flatMap((one) => at.keep(one) ?? []));
    await replacement.finish();
    expect(seenBy(at)).toEqual({ ours: [ours], others: ['old'] });
  });
});

describe('an Ingress of somebody else that comes, changes or goes', () => {
  it('wakes the holders of its hostnames, once each, and nobody for others', () => {
    const { stores } = filled();
    stores.claims.put(claim());
    const before = { ...ingress('old'), spec: { rules: [{ host: hostname }, { host: 'unknown.example.com' }] } };
    const wakes = (object: Ingress, previous?: Ingress) =>
      otherIngressTrigger(stores, { type: previous ? 'modified' : 'added', object, previous }).projectDomain;
    expect(wakes(before)).toEqual(['acme/www']);
    expect(wakes({ ...before, spec: {} }, before)).toEqual(['acme/www']);
    expect(wakes({ ...before, spec: { rules: [{ host: 'unknown.example.com' }] } })).toEqual([]);
  });
});
