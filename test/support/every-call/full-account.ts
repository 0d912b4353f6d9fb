import { randomBytes } from 'node:crypto';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { ApiKeyKind, HostnameClaimKind, ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import type { Limiter } from '../../../src/quota/quota-port.ts';
import type { MemoryCluster } from '../memory-cluster.ts';
import type { InMemoryApi } from '../in-memory-api.ts';
import { createInMemoryApi } from '../in-memory-api.ts';
import { linkSecretBytes } from '../../../src/use-cases/handover-links-port.ts';

const account = 'full';

/** How many domains a page shows at most. */
export const domains = 500;

export const primary = 'www.example.com';
export const redirecting = 'h0.example.com';

/** An account whose project has one domain more than that, which can be had again after whatever an input did to it. */
export interface FullAccount {
  readonly api: InMemoryApi;
  readonly key: string;
  /** public part of a second key */
  readonly otherKey: string;
  readonly restore: () => Promise<void>;
  /** requests that were spent so far */
  readonly spent: () => number;
}

const apiVersion = 'projectdomain.io/v1alpha1';
const accountId = `id-of-${account}`;

const nameOf = ({ kind, metadata: { namespace = '', name } }: KubernetesObject): string =>
  `${kind} ${namespace}/${name}`;

export function createFullAccount(): FullAccount {
  const memory = createInMemoryApi();
  const { limiter } = memory.dependencies;
  let spent = 0;
  const decide: Limiter['decide'] = (ask) => {
    spent += ask.spend;
    return limiter.decide(ask);
  };
  const cluster = releasing(memory.cluster);
  const api = { ...memory, dependencies: { ...memory.dependencies, cluster, limiter: { ...limiter, decide } } };
  const key = api.account(account, 'enterprise');
  const overrides = { customDomains: { maxPerProject: 3 * domains }, maximum: { domains: 3 * domains } };
  const spec = { plan: 'enterprise', id: accountId, overrides };
  api.put({ apiVersion, kind: 'Account', metadata: { name: account }, spec });
  const before = new Set(api.stores.apiKeys.list().map(({ spec }) => spec.keyId));
  api.key(account, ['domains:read']);
  const otherKey = api.stores.apiKeys.list().find(({ spec }) => !before.has(spec.keyId))?.spec.keyId ?? '';
  fill(api);
  const stores = [api.stores.domains, api.stores.claims, api.stores.projects, api.stores.apiKeys] as const;
  const kinds: readonly Kind[] = [ProjectDomainKind, HostnameClaimKind, ProjectKind, ApiKeyKind];
  const listed = () => stores.flatMap((store): readonly KubernetesObject[] => store.list());
  const objects = () => new Map(listed().map((object) => [nameOf(object), object] as const));
  const initial = objects();
  let versions = versionsOf(initial);
  /** Takes away what was added, and puts back what was removed or changed. */
  async function restore(): Promise<void> {
    const now = objects();
    for (const [name, { kind, metadata }] of now)
      if (!initial.has(name)) await api.cluster.remove(kinds.find((one) => one.kind === kind) as Kind, keyOf(metadata));
    for (const [name, object] of initial)
      if (now.get(name)?.metadata.resourceVersion !== versions.get(name)) api.put(object);
    versions = versionsOf(objects());
    for (const { id, uid } of await api.handoverLinks.list(uidOf(api))) await api.handoverLinks.revoke(uid, id);
  }
  return { api, key, otherKey, restore, spent: () => spent };
}

const keyOf = ({ namespace = '', name }: KubernetesObject['metadata']) => ({ namespace, name });

const uidOf = ({ stores }: InMemoryApi): string =>
  stores.domains.get({ namespace: account, name: redirecting })?.metadata.uid ?? '';

/** Releases the claim of what is removed at once, as the operator does a moment later. */
const releasing = (cluster: MemoryCluster): MemoryCluster => ({
  ...cluster,
  async remove(kind, key, ...rest) {
    const isGone = await cluster.remove(kind, key, ...rest);
    if (key.name === redirecting) await cluster.remove(HostnameClaimKind, { namespace: '', name: redirecting });
    return isGone;
  },
});

/** A primary and redirects to it, made one by one; one of them is held. */
function fill(api: InMemoryApi): void {
  api.domain(account, primary);
  const role = { role: 'Redirect', redirect: { to: primary, status: 301 } } as const;
  for (let index = 0; index < domains; index += 1) {
    const hostname = `h${index}.example.com`;
    api.domain(account, hostname, { spec: { project: 'shop', hostname, ...role } });
  }
  const holder = { namespace: account, name: redirecting };
  const proof = { method: 'Route', at: '2026-01-01T00:00:00Z' };
  const held = { account: accountId, holder, phase: 'Held', epoch: 1, proof };
  api.put({ apiVersion, kind: 'HostnameClaim', metadata: { name: redirecting }, spec: held });
}

/** Opens the hand-over page of the primary, whose links are not taken away. */
export async function tokenOfLink({ stores, handoverLinks }: InMemoryApi): Promise<string> {
  const { uid = '' } = stores.domains.get({ namespace: account, name: primary })?.metadata ?? {};
  const [apiKey] = stores.apiKeys.list();
  const [created, expires] = [Date.now(), Date.now() + 86_400_000];
  const { keyId = '' } = apiKey?.spec ?? {};
  const made = await handoverLinks.create(
    { account, keyId, namespace: account, name: primary, uid, created, expires },
    randomBytes(linkSecretBytes),
  );
  return made?.token ?? '';
}

const versionsOf = (objects: ReadonlyMap<string, KubernetesObject>): ReadonlyMap<string, string | undefined> =>
  new Map([...objects].map(([name, { metadata }]) => [name, metadata.resourceVersion]));
