import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { installCertManagerKinds, installGatewayKinds } from '../../../dev/platform/services.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { decideGatewayListeners } from '../../../src/controllers/gateway-listeners/decide-gateway-listeners.ts';
import type { GrantedHostname } from '../../../src/controllers/gateway-listeners/granted-hostnames.ts';
import type { Gateway } from '../../../src/resources/gateway-types.ts';
import { GatewayKind } from '../../../src/resources/kinds.ts';
import { listenerName } from '../../../src/routing/gateway/gateway-listeners.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { writesOfFreshClient } from '../../support/fresh-client.ts';

/** The listeners of hostnames on a Gateway, as a real kube-apiserver merges and checks them, one test after the other. */

const reference = { namespace: 'edge', name: 'customers' };
const http = { name: 'http', protocol: 'HTTP', port: 80 };
let controlPlane: SharedControlPlane;

const manifest = (...listeners: readonly object[]) => ({
  apiVersion: GatewayKind.apiVersion,
  kind: GatewayKind.kind,
  metadata: reference,
  spec: { gatewayClassName: 'edge', listeners: [http, ...listeners] },
});

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  const { kubectl } = controlPlane;
  // The client's caches have them too.
  await installCertManagerKinds(kubectl);
  await installGatewayKinds(kubectl);
  await kubectl.run(['create', 'namespace', 'edge']);
  await kubectl.apply(manifest());
}, controlPlaneDeadlineMs);
afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const granted = (index: number): GrantedHostname => ({
  hostname: `h${index}.example.com`,
  namespace: 'acme',
  secretName: listenerName(`h${index}.example.com`),
  since: new Date(index * 1_000).toISOString(),
});
const firsts = (count: number) => Array.from({ length: count }, (_, index) => granted(index));

/** What an operator that has just started writes for these hostnames. */
const write = (hostnames: readonly GrantedHostname[]): Promise<readonly string[]> =>
  writesOfFreshClient(controlPlane.kubeconfig, async (cluster) => {
    const gateway = (await cluster.get(GatewayKind, reference)) ?? null;
    const actions = decideGatewayListeners({ now: 0, reference, gateway, granted: hostnames });
    await applyActions({ cluster, now: () => 0, recordEvent: () => undefined }, actions);
  });

async function listeners(): Promise<readonly string[]> {
  const found = await controlPlane.kubectl.get<Gateway>('gateway', reference.name, reference.namespace);
  return (found?.spec?.listeners ?? []).map(({ name, hostname }) => hostname ?? name).toSorted();
}

const hostnames = (all: readonly GrantedHostname[]) => all.map(({ hostname }) => hostname);
const once = ['patch gateways: 2xx'];

it('are written beside that of the administrator, and not again while nothing changes', async () => {
  expect(await write(firsts(2))).toEqual(once);
  expect(await write(firsts(2))).toEqual([]);
  expect(await listeners()).toEqual(['h0.example.com', 'h1.example.com', 'http']);
});

it('are 63: the 64th hostname has none, and the others stay as they are', async () => {
  expect(await write(firsts(64))).toEqual(once);
  expect(await listeners()).toEqual([...hostnames(firsts(63)), 'http'].toSorted());
  expect(await write(firsts(64))).toEqual([]);
});

it('leave the place of a hostname that goes to the 64th, although another came first', async () => {
  const left = firsts(64).filter((_, index) => index !== 7);
  expect(await write(left)).toEqual(once);
  expect(await listeners()).toEqual([...hostnames(left), 'http'].toSorted());
});

it('make place for one that the administrator adds, where some are free, and never take a hostname of that', async () => {
  await write(firsts(3));
  const own = { name: 'own', protocol: 'HTTPS', port: 443, hostname: 'h9.example.com' };
  const value = { ...own, tls: { certificateRefs: [{ name: 'own' }] } };
  const added = JSON.stringify([{ op: 'add', path: '/spec/listeners/-', value }]);
  await controlPlane.kubectl.run(['patch', 'gateway', 'customers', '-n', 'edge', '--type=json', '-p', added]);
  expect(await write([...firsts(3), granted(9)])).toEqual([]);
  expect(await listeners()).toEqual(['h0.example.com', 'h1.example.com', 'h2.example.com', 'h9.example.com', 'http']);
});

it('are back after somebody has replaced the list as a whole', async () => {
  const patch = JSON.stringify({ spec: { listeners: [http] } });
  await controlPlane.kubectl.run(['patch', 'gateway', 'customers', '-n', 'edge', '--type=merge', '-p', patch]);
  expect(await listeners()).toEqual(['http']);
  expect(await write(firsts(2))).toEqual(once);
  expect(await listeners()).toEqual(['h0.example.com', 'h1.example.com', 'http']);
});

it('go with the last hostname', async () => {
  expect(await write([])).toEqual(once);
  expect(await listeners()).toEqual(['http']);
  expect(await write([])).toEqual([]);
});
