import { basename } from 'node:path';
import { expect } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { systemNamespace } from '../../dev/platform/chart.ts';
import type { Actor } from './actors.ts';
import { actAs, administrator, api, operator, overtrusted, rightsIn, tenant } from './actors.ts';
import type { TestControlPlane } from './control-plane.ts';
import type { ShippedCluster } from './shipped-cluster.ts';
import { shippedCluster, startFurnished } from './shipped-cluster.ts';
import * as made from './tenant-objects.ts';

/** Accounts bear the name of their test file: files that share an API server do not meet. */
const file = basename(expect.getState().testPath ?? '', '.test.ts');

/** The attacker's own account namespace, a neighbour's, and a namespace that belongs to no account. */
export const acme = `acme-${file}`;
export const neighbour = `neighbour-${file}`;
export const plain = `plain-${file}`;

/** What tests do as somebody. */
interface Acting {
  /** Does as somebody what kubectl does with these arguments; resolves to what it prints. */
  as(actor: Actor, args: readonly string[], object?: object): Promise<string>;
  /** What was said to somebody whom the API server refused; `was let through: …` where it did not. */
  refusal(actor: Actor, args: readonly string[], object?: object): Promise<string>;
}

/** A real kube-apiserver with the chart's rights and policies, and accounts whose tenants attack. */
export type AttackCluster = ShippedCluster & Acting;
/** The same, of one file alone: it may change what is everybody's. */
export type OwnAttackCluster = TestControlPlane & Acting;

export const create = ['create', '-f', '-'] as const;
/** One PATCH, where `kubectl patch` reads first and is refused that. */
export const apply = ['apply', '--server-side', '--force-conflicts', '-f', '-'] as const;
/** Nothing is kept of it. */
export const rehearse = ['create', '--dry-run=server', '-f', '-'] as const;

export const patch = (kind: string, name: string, change: object, namespace = acme): readonly string[] => [
  'patch',
  kind,
  name,
  '-n',
  namespace,
  '--type=merge',
  '-p',
  JSON.stringify(change),
];

/**
 * With what the chart installs when nothing is said. It may be shared with other files, so an attack keeps to namespaces and
 * names of its own. `objects` stand there before it.
 */
export async function attackCluster(...objects: readonly object[]): Promise<AttackCluster> {
  return populated(await shippedCluster(), objects);
}

/** One of this file's own; `values` are the chart's. */
export async function startAttackCluster(values: object, ...objects: readonly object[]): Promise<OwnAttackCluster> {
  return populated(await startFurnished(values), objects);
}

async function populated<T extends ShippedCluster>(shipped: T, objects: readonly object[]): Promise<T & Acting> {
  const { kubectl } = shipped;
  const as: Acting['as'] = async (actor, args, object) =>
    (await requested(kubectl, actor, args, object)) ??
    kubectl.run([...actAs(actor), ...args], object === undefined ? undefined : JSON.stringify(object));
  const refusal: Acting['refusal'] = (actor, args, object) =>
    as(actor, args, object).then(
      (said) => `was let through: ${said}`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const cluster = { ...shipped, as, refusal };
  try {
    await kubectl.apply(
      ...[acme, neighbour].flatMap((name) => [made.account(name), made.namespace(name, name), ...made.ourRights(name)]),
      made.namespace(plain),
      ...rightsIn(acme, plain),
      // Without it no Pod is let in, and kube-controller-manager makes it when it gets to it.
      made.serviceAccount('default', acme),
      made.pod('probe', acme),
      ...objects,
    );
    await holds(cluster);
    return cluster;
  } catch (error) {
    await shipped.stop();
    throw error;
  }
}

/** What most attacks are, as one request without a process; null where it takes kubectl. */
async function requested(
  kubectl: ShippedCluster['kubectl'],
  actor: Actor,
  args: readonly string[],
  object: object | undefined,
): Promise<string | null> {
  if (args[0] === 'patch') return patched(kubectl, actor, args);
  if (args[0] === 'delete') return rehearsedDelete(kubectl, actor, args);
  if (object === undefined) return null;
  const sent = args.join(' ');
  if (sent === apply.join(' ')) {
    await kubectl.applyAs(object, { as: actor });
    return `${subjectOf(object)} serverside-applied`;
  }
  const isRehearsal = sent === rehearse.join(' ');
  if (!isRehearsal && sent !== create.join(' ')) return null;
  await kubectl.create(object, { as: actor, isRehearsal });
  return `${subjectOf(object)} created${isRehearsal ? ' (server dry run)' : ''}`;
}

/** KIND/NAME of an object, without a name where the API server draws one. */
const subjectOf = (object: object): string => {
  const { kind, metadata } = object as { readonly kind: string; readonly metadata: { readonly name?: string } };
  return `${kind}/${metadata.name ?? ''}`;
};

/** What `patch` makes, with a rehearsal or a subresource after it or not. */
async function patched(
  kubectl: ShippedCluster['kubectl'],
  actor: Actor,
  args: readonly string[],
): Promise<string | null> {
  const [, kind = '', name = '', , namespace = '', , , change = '', ...more] = args;
  const isOurs = patch(kind, name, {}, namespace)
    .slice(0, -1)
    .every((argument, at) => argument === args[at]);
  const isKnown = more.every((option) => option === '--dry-run=server' || option === '--subresource=status');
  if (!isOurs || !isKnown) return null;
  const merged = { kind, name, namespace, change: JSON.parse(change) as object };
  const isRehearsal = more.includes('--dry-run=server');
  const subresource = more.includes('--subresource=status') ? ({ subresource: 'status' } as const) : {};
  await kubectl.patch(merged, { as: actor, isRehearsal, ...subresource });
  return `${kind}/${name} patched`;
}

/** A delete that is only rehearsed; the others wait, as kubectl does. */
async function rehearsedDelete(
  kubectl: ShippedCluster['kubectl'],
  actor: Actor,
  args: readonly string[],
): Promise<string | null> {
  const [, kind = '', name = '', ...more] = args;
  const [namespace = '', ...rest] = more[0] === '-n' ? more.slice(1) : ['default', ...more];
  if (rest.join(' ') !== '--dry-run=server' || name.startsWith('-')) return null;
  await kubectl.rehearseDelete({ kind, name, namespace }, actor);
  return `${kind}/${name} deleted (server dry run)`;
}

const withNonce = (domain: ReturnType<typeof made.projectDomain>) => ({
  ...domain,
  spec: { ...domain.spec, nonce: 'mine' },
});

/** What each policy refuses as soon as the API server knows it. */
const probes: Readonly<Record<string, readonly [Actor, readonly string[], object?]>> = {
  'projectdomain-routes': [tenant, rehearse, made.ingress('probe.example.com', 'probe', acme)],
  'projectdomain-kinds': [tenant, rehearse, made.foreign('databases.example.net/v1', 'Database', 'probe', acme)],
  'projectdomain-services': [
    tenant,
    rehearse,
    made.service({ type: 'ExternalName', externalName: 'a.example.com' }, 'probe', acme),
  ],
  'projectdomain-pods': [
    overtrusted,
    [...patch('pod', 'probe', { status: { podIP: '192.0.2.1' } }), '--subresource=status', '--dry-run=server'],
  ],
  'projectdomain-redirector': [tenant, rehearse, made.service({}, 'projectdomain-redirect', acme)],
  'projectdomain-secrets': [tenant, rehearse, made.tlsSecret({}, 'pd-probe', acme)],
  'projectdomain-nonces': [tenant, rehearse, withNonce(made.projectDomain('nonce.example.com', 'nonce', acme))],
  'projectdomain-own-rights': [operator, rehearse, made.service({}, 'probe', systemNamespace)],
  'projectdomain-own-certificates': [api, rehearse, made.tlsSecret({}, 'probe', acme)],
  'projectdomain-deletions': [administrator, ['delete', 'namespace', acme, '--dry-run=server']],
};

async function holds({ kubectl, as, refusal }: AttackCluster): Promise<void> {
  const installed = await kubectl.list<{ metadata: { name: string } }>('validatingadmissionpolicies');
  await eventually('rights and policies hold', 30_000, async () => {
    await as(tenant, rehearse, made.projectDomain('probe.example.com', 'probe', acme));
    for (const { metadata } of installed) {
      const { name } = metadata;
      const probe = probes[name];
      if (probe === undefined) throw new Error(`no probe for ${name}`);
      const said = await refusal(...probe);
      expectThat(said.includes(name), said);
    }
  });
}
