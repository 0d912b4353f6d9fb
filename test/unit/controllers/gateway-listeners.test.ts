import { describe, expect, it } from '@jest/globals';
import type { WriteAction } from '../../../src/controller-runtime/actions.ts';
import { decideGatewayListeners } from '../../../src/controllers/gateway-listeners/decide-gateway-listeners.ts';
import type { GrantedHostname } from '../../../src/controllers/gateway-listeners/granted-hostnames.ts';
import { grantedHostnames } from '../../../src/controllers/gateway-listeners/granted-hostnames.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { KubernetesObject, ObjectKey } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Gateway, GatewayListener } from '../../../src/resources/gateway-types.ts';
import { createGatewayListenerRoutes } from '../../../src/routing/gateway/gateway-listener-routes.ts';
import { hostnameAnnotation } from '../../../src/resources/object-metadata.ts';
import { listenerName, listenerOf } from '../../../src/routing/gateway/gateway-listeners.ts';
import { claim, domain, now } from '../../support/snapshot.ts';

/** Which hostnames have a listener in a Gateway that has place for 64, and whose they are. */

const reference = { namespace: 'edge', name: 'customers' };
const http: GatewayListener = { name: 'http', port: 80 };

const granted = (hostname: string, since = '2026-01-01T10:00:00Z', namespace = 'acme'): GrantedHostname => ({
  hostname,
  namespace,
  secretName: listenerName(hostname),
  since,
});
const several = (count: number, from = 0): readonly GrantedHostname[] =>
  Array.from({ length: count }, (_, index) => granted(`h${index + from}.example.com`));

const gatewayWith = (listeners: readonly GatewayListener[], deletionTimestamp?: string): Gateway => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { ...reference, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
  spec: { gatewayClassName: 'edge', listeners },
});

/** The hostnames whose listeners are written; null where nothing is. */
function writtenBy(gateway: Gateway | null, hostnames: readonly GrantedHostname[]): readonly string[] | null {
  const { writes } = decideGatewayListeners({ now, reference, gateway, granted: hostnames });
  const [write] = writes as readonly Extract<WriteAction, { verb: 'apply' }>[];
  if (!write) return null;
  const { listeners } = write.object.spec as { readonly listeners: readonly ReturnType<typeof listenerOf>[] };
  return listeners.map(({ hostname }) => hostname);
}

const names = (hostnames: readonly GrantedHostname[]) => hostnames.map(({ hostname }) => hostname);

describe('the listeners of a Gateway', () => {
  it.each<[string, gateway: Gateway | null, hostnames: readonly GrantedHostname[], written: readonly string[] | null]>([
    ['are those of the hostnames that have a grant', gatewayWith([http]), several(2), names(several(2))],
    ['are not written where there are none, nor were', gatewayWith([http]), [], null],
    ['go with their grants', gatewayWith([http, ...several(2).map(listenerOf)]), several(1), names(several(1))],
    ['go with the last of their grants', gatewayWith([http, ...several(1).map(listenerOf)]), [], []],
    ['wait for the Gateway', null, several(1), null],
    ['are not written onto one that is being deleted', gatewayWith([http], '2026-01-01T10:00:00Z'), several(1), null],
    ['are 64 with those of others', gatewayWith([http]), several(64), names(several(64)).toSorted().slice(0, 63)],
    [
      'are none where others have all places',
      gatewayWith(Array.from({ length: 64 }, (_, index) => ({ name: `other-${index}` }))),
      several(1),
      null,
    ],
    [
      'are none of a hostname for which another has one, as the API would refuse all of them',
      gatewayWith([http, { name: 'other', port: 443, hostname: 'h0.example.com' }]),
      several(2),
      ['h1.example.com'],
    ],
    [
      'are there beside another listener of the hostname at another port',
      gatewayWith([http, { name: 'other', port: 80, hostname: 'h0.example.com' }]),
      several(1),
      ['h0.example.com'],
    ],
    [
      'stay with who has one, whoever comes',
      gatewayWith([http, ...several(63).map(listenerOf)]),
      [granted('earlier.example.com', '2025-01-01T00:00:00Z'), ...several(63)],
      names(several(63)),
    ],
    [
      'go to who came first, once one is free',
      gatewayWith([http, ...several(62).map(listenerOf)]),
      [
        granted('late.example.com', '2026-01-01T11:00:01Z'),
        granted('early.example.com', '2026-01-01T11:00:00Z'),
        ...several(62),
      ],
      [...names(several(62)), 'early.example.com'],
    ],
    [
      'go to the account with the fewest before who came first, so that no account takes those that become free',
      gatewayWith([http, ...several(61).map(listenerOf)]),
      [
        ...several(70),
        granted('second.example.org', '2026-01-01T12:00:01Z', 'other'),
        granted('first.example.org', '2026-01-01T12:00:00Z', 'other'),
      ],
      [...names(several(61)), 'first.example.org', 'second.example.org'],
    ],
    [
      'are taken from nobody, however many an account has',
      gatewayWith([http, ...several(63).map(listenerOf)]),
      [...several(63), granted('www.example.org', '2025-01-01T00:00:00Z', 'other')],
      names(several(63)),
    ],
  ])('%s', (_, gateway, hostnames, written) => {
    expect(writtenBy(gateway, hostnames)).toEqual(written);
  });

  it('take routes of the one account alone, with the hostname’s own certificate', () => {
    expect(listenerOf(granted('www.example.com'))).toEqual({
      name: listenerName('www.example.com'),
      hostname: 'www.example.com',
      protocol: 'HTTPS',
      port: 443,
      tls: {
        mode: 'Terminate',
        certificateRefs: [{ group: '', kind: 'Secret', namespace: 'acme', name: listenerName('www.example.com') }],
      },
      allowedRoutes: {
        namespaces: {
          from: 'Selector',
          selector: {
            matchLabels: { 'kubernetes.io/metadata.name': 'acme' },
            matchExpressions: [{ key: 'projectdomain.io/account', operator: 'Exists' }],
          },
        },
        kinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
      },
    });
  });

  it('are compared with those of ours alone, so that what others write causes no write', () => {
    const gateway = gatewayWith([http, ...several(1).map(listenerOf)]);
    const { writes } = decideGatewayListeners({ now, reference, gateway, granted: several(1) });
    expect(writes[0]).toMatchObject({ live: { spec: { listeners: several(1).map(listenerOf) } } });
  });
});

describe('the hostnames that are to have one', () => {
  const routes = createGatewayListenerRoutes(reference);
  const manifests = routes.manifests({
    namespace: 'acme',
    hostname: 'www.example.com',
    owner: domain(),
    backend: { name: 'shop', port: 80 },
    hasCertificate: true,
  });
  const grant = manifests.find(({ kind }) => kind === 'ReferenceGrant') as KubernetesObject;
  const withMetadata = (changes: object): KubernetesObject => ({
    ...grant,
    metadata: { ...grant.metadata, ...changes },
  });

  it.each<[string, KubernetesObject, claim: HostnameClaim | null, hostnames: readonly string[]]>([
    ['are those whose claim names the grant’s namespace and owner', grant, claim(), ['www.example.com']],
    ['are none without a claim', grant, null, []],
    ['are not what another account holds', grant, claim({ holder: { namespace: 'other', name: 'www' } }), []],
    ['are not what another object holds', grant, claim({ holder: { namespace: 'acme', name: 'shop' } }), []],
    ['are not what was removed', grant, claim({ phase: 'Tombstone' }), []],
    ['are not those whose grant goes', withMetadata({ deletionTimestamp: '2026-01-01T10:00:00Z' }), claim(), []],
    [
      'are not what an annotation says that does not go with the name',
      withMetadata({ name: listenerName('victim.example.com') }),
      claim(),
      [],
    ],
    ['are not those of another class', withMetadata({ name: `${listenerName('www.example.com')}.gold` }), claim(), []],
  ])('%s', (_, object, held, hostnames) => {
    const stores = createOperatorStores(routes, (error) => {
      throw error;
    });
    stores.routeStores.referenceGrants?.put({ ...object, metadata: { ...object.metadata, resourceVersion: '1' } });
    if (held) stores.claims.put(held);
    expect(names(grantedHostnames(stores, 'default', [http]))).toEqual(hostnames);
  });

  it.each([
    ['are not those whose Secret was deleted: a challenge for the next one has to be answered', 'DoesNotExist', []],
    ['are those that are issued anew while the Secret is there', 'Expired', ['www.example.com']],
  ])('%s', (_, reason, hostnames) => {
    const stores = createOperatorStores(routes, (error) => {
      throw error;
    });
    stores.routeStores.referenceGrants?.put({ ...grant, metadata: { ...grant.metadata, resourceVersion: '1' } });
    stores.claims.put(claim());
    stores.certificates.put({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { namespace: 'acme', name: listenerName('www.example.com'), resourceVersion: '1' },
      spec: { secretName: listenerName('www.example.com') },
      status: { conditions: [{ type: 'Ready', status: 'False', reason }] },
    });
    expect(names(grantedHostnames(stores, 'default', [http]))).toEqual(hostnames);
  });

  /** The grants that are unpacked where an account has a thousand, and another one, the youngest. */
  function readBeside(listeners: readonly GatewayListener[]): readonly string[] {
    const stores = createOperatorStores(routes, (error) => {
      throw error;
    });
    const put = (namespace: string, hostname: string, minute: number) =>
      stores.routeStores.referenceGrants?.put({
        ...grant,
        metadata: {
          ...grant.metadata,
          ...{ namespace, name: listenerName(hostname), resourceVersion: '1' },
          annotations: { [hostnameAnnotation]: hostname },
          creationTimestamp: new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString(),
        },
      });
    for (let index = 0; index < 1_000; index += 1) put('acme', `h${index}.example.com`, 1_000 - index);
    put('other', 'www.example.org', 2_000);
    for (const { hostname } of several(63)) {
      const held = claim();
      stores.claims.put({ ...held, metadata: { ...held.metadata, name: hostname } });
    }
    const read: string[] = [];
    const counted = {
      ...stores.routes,
      objectIn: (name: string, key: ObjectKey) => {
        read.push(key.name);
        return stores.routes.objectIn(name, key);
      },
    };
    grantedHostnames({ ...stores, routes: counted }, 'default', listeners);
    return read;
  }

  it('are read alone where they have all places, so that those that wait cost nothing', () => {
    const withListener = several(63);
    expect(readBeside([http, ...withListener.map(listenerOf)]).length).toBe(63);
  });

  it('are those that came first of each account, as many as there may be places for', () => {
    const others = Array.from({ length: 60 }, (_, index) => ({ name: `other-${index}` }));
    const oldest = [999, 998, 997].map((index) => listenerName(`h${index}.example.com`));
    expect(readBeside([http, ...others])).toEqual([...oldest, listenerName('www.example.org')]);
  });
});
