import { afterEach, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { hasListenersOnGateway } from '../../dev/platform/controllers.ts';
import type { SeenDomain } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { readConformanceFacts } from '../support/conformance-facts.ts';

/** What a Gateway says of a hostname's objects stands in the domain's status; whether the hostname is served, its own answer says. */

const fixture = useConformance(import.meta.filename);
const { routing } = readConformanceFacts();
const gateway = routing.kind === 'Gateway' ? routing : null;
/** An Ingress says nothing; with Contour the hostname's own listener takes both routes, whatever the shared one does. */
const itOfGateways = gateway === null || gateway.controller === 'Contour' ? it.skip : it;
/** Where all have one listener for HTTP, and the API itself refuses two for HTTPS, none is in another's way. */
const itOfListenerSets = gateway && !hasListenersOnGateway(gateway) ? it : it.skip;

/** It is told after a minute. */
const toldWithinMs = 120_000;

interface Seen {
  readonly spec: {
    readonly listeners: readonly { readonly name: string; readonly [field: string]: unknown }[];
    readonly allowedListeners?: object;
  };
}

const read = <T>(kind: string, name: string, namespace: string) =>
  fixture().stage.kubectl.get<T>(kind, name, namespace);

async function change(changes: Partial<Seen['spec']>): Promise<void> {
  const { name = '', namespace = '' } = gateway ?? {};
  const patch = JSON.stringify({ spec: changes });
  await fixture().stage.kubectl.run(['patch', 'gateway', name, '-n', namespace, '--type=merge', '-p', patch]);
}

let before: Seen['spec'] | null = null;

async function gatewayIs(): Promise<Seen['spec']> {
  before ??= (await read<Seen>('gateway', gateway?.name ?? '', gateway?.namespace ?? ''))?.spec ?? null;
  if (before === null) throw new Error('there is no Gateway');
  return before;
}

const restore = async () => {
  if (before === null) return;
  const { listeners, allowedListeners } = before;
  await change({ listeners, ...(allowedListeners ? { allowedListeners } : {}) });
};
afterEach(restore);

const issuesAre = (expected: string) =>
  eventually(`the issues are [${expected}]`, toldWithinMs, async () => {
    const { status } = await fixture().stage.domain(fixture().account, 'www');
    const codes = (status?.issues ?? []).map(({ code }) => code).join();
    expectThat(codes === expected, `issues [${codes}]`);
    return status;
  });

const routed = ({ conditions = [] }: NonNullable<SeenDomain['status']>) =>
  conditions.find(({ type }) => type === 'Routed');

itOfListenerSets(
  'a hostname that another listener takes stays served over HTTPS, and it is told who has to do what',
  async () => {
    const { listeners } = await gatewayIs();
    const listener = { name: 'other', protocol: 'HTTP', port: 80, hostname: inZone('www.explained') };
    await change({ listeners: [...listeners, { ...listener, allowedRoutes: { namespaces: { from: 'Same' } } }] });
    const status = await issuesAre('HostnameConflicted');
    expect(routed(status ?? {})?.status).toBe('True');
    expect(status?.issues?.[0]?.fix).toContain(`remove the listener for ${inZone('www.explained')}`);
    expect((await fixture().ask(inZone('www.explained'))).status).toBe(200);
    await restore();
    await issuesAre('');
  },
  conformanceDeadlineMs,
);

itOfGateways(
  'a Gateway that does not let the account in is told, and while it lets others in no new project is served',
  async () => {
    const { stage, account } = fixture();
    const { listeners } = await gatewayIs();
    const others = { key: 'projectdomain.io/account', operator: 'NotIn', values: [account] };
    const allowed = { namespaces: { from: 'Selector', selector: { matchExpressions: [others] } } };
    const shared = listeners.map((one) => (one.name === 'http' ? { ...one, allowedRoutes: allowed } : one));
    await change(gateway?.listeners === 'ListenerSet' ? { allowedListeners: allowed } : { listeners: shared });
    await issuesAre('RouteNotAccepted');
    const { apiVersion, kind, spec } = projectOf(account);
    await stage.kubectl.apply({ apiVersion, kind, metadata: { name: 'later', namespace: account }, spec });
    await eventually('it is held back', 60_000, async () => {
      const reason = await reasonOf(account, 'later');
      expectThat(reason === 'HeldBack', `Routed for ${reason}`);
    });
    expect(await hostnamesRouted(account)).not.toContain('later-explained');
    await restore();
    await issuesAre('');
    await eventually('the new project is served', 120_000, async () => {
      expectThat((await hostnamesRouted(account)).includes('later-explained'), 'no route');
      expectThat((await reasonOf(account, 'later')) === 'Routed', 'not routed');
    });
  },
  2 * conformanceDeadlineMs,
);

const projectOf = (account: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Project',
  metadata: { namespace: account },
  spec: { service: { name: 'shop-web', port: 8080 }, subdomain: 'later-explained' },
});

const reasonOf = async (account: string, project: string) =>
  routed((await read<{ readonly status?: SeenDomain['status'] }>('project', project, account))?.status ?? {})?.reason;

/** First labels of the hostnames that have a route. */
async function hostnamesRouted(account: string): Promise<readonly string[]> {
  const listed = await fixture().stage.kubectl.run(['get', 'httproutes', '-n', account, '-o', 'json']);
  const { items } = JSON.parse(listed) as {
    readonly items: readonly { readonly spec: { readonly hostnames: readonly string[] } }[];
  };
  return items.flatMap(({ spec }) => spec.hostnames.map((hostname) => hostname.split('.')[0] ?? ''));
}
