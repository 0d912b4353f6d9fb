import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectThat, NotSeen, within } from '../lib/eventually.ts';
import { askHttps } from '../lib/https.ts';
import type { Rest } from '../lib/rest.ts';
import { restClient } from '../lib/rest.ts';
import { accountObjects, createKey } from '../platform/demo-account.ts';
import type { Kubectl } from '../platform/kubectl.ts';
import type { PlatformFacts } from '../platform/platform.ts';
import type { Tenant } from '../platform/tenant.ts';
import { playTenant } from '../platform/tenant.ts';
import { issuanceFacts } from './issuance-facts.ts';

/** Parts of a ProjectDomain that the story looks at. */
export interface SeenDomain {
  readonly metadata: { readonly uid: string };
  readonly status?: {
    readonly state?: string;
    readonly records?: readonly {
      readonly purpose: string;
      readonly type: string;
      readonly name: string;
      readonly fqdn: string;
      readonly value: string;
    }[];
    readonly issues?: readonly { readonly code: string; readonly record: string; readonly fix: string }[];
    readonly timeline?: readonly { readonly kind?: string; readonly reason: string }[];
    readonly check?: { readonly checkedAt?: string };
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
  };
}

/** What a stage knows of its platform; no DNS control where zones are not ours. */
type StageFacts = Pick<PlatformFacts, 'kubeconfig' | 'acmeRoot' | 'ingressAddress' | 'apiUrl'> & {
  readonly dnsControl: string | null;
};

/**
 * What the story acts through, and nothing else: kubectl, DNS control and HTTPS, as customers, administrators and
 * visitors do; and the customers' own web servers.
 */
export interface Stage<Facts extends StageFacts = PlatformFacts> {
  readonly facts: Facts;
  readonly kubectl: Kubectl;
  /** What somebody does with `kubectl apply`. */
  applied(...objects: readonly object[]): Promise<void>;
  /** how long each thing may take to show */
  readonly patienceMs: number;
  /** Lets so much time go by as the platform told somebody to wait. */
  waits(ms: number): Promise<void>;
  /** the REST API with a key of the account; the same key for the same name */
  rest(account: string, key?: string): Promise<Rest>;
  putZone(zone: string, text: string): Promise<void>;
  /** Resolves once the hostname answers 200 from this tenant over HTTPS that Pebble's root vouches for. */
  answers(hostname: string, tenant: string): Promise<void>;
  domain(namespace: string, name: string): Promise<SeenDomain>;
  /** Resolves with the domain once the complaint function finds nothing to complain about. */
  domainWhere(
    namespace: string,
    name: string,
    what: string,
    complain: (domain: SeenDomain) => string | null,
  ): Promise<SeenDomain>;
  account(name: string, plan: string): Promise<void>;
  tenant(namespace: string, name: string): Promise<Tenant>;
  close(): Promise<void>;
}

export interface StageOptions<Facts extends StageFacts> {
  readonly facts: Facts;
  readonly kubectl: Kubectl;
  /** how long each thing may take to show */
  readonly patienceMs: number;
  /** who plays customers' web servers; on loopback cluster IPs unless said */
  readonly play?: (kubectl: Kubectl, namespace: string, name: string) => Promise<Tenant>;
}

export function createStage<Facts extends StageFacts>({
  facts,
  kubectl,
  patienceMs,
  play = playTenant,
}: StageOptions<Facts>): Stage<Facts> {
  const ca = readFileSync(facts.acmeRoot);
  const tenants: Tenant[] = [];
  const domain = async (namespace: string, name: string) => {
    const seen = await kubectl.get<SeenDomain>('projectdomain', name, namespace);
    expectThat(seen !== null, `there is no ProjectDomain ${namespace}/${name}`);
    return seen;
  };
  const keys = new Map<string, Promise<string>>();
  const apiUrl = facts.apiUrl ?? '';
  /** The API server learns of a key a moment after it was made. One that does not answer at all is left to whoever asks it next. */
  const knownKey = async (account: string) => {
    const key = await createKey(account, facts.kubeconfig);
    const usage = () => restClient(apiUrl, key)('/v1/account/usage').catch(() => null);
    await within('the API knows the key', patienceMs, async () => {
      expectThat((await usage())?.status !== 401, 'it does not');
    });
    return key;
  };
  return {
    facts,
    kubectl,
    async applied(...objects) {
      await kubectl.run(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    },
    patienceMs,
    waits: (ms) => sleep(ms),
    async rest(account, key = 'first') {
      const name = `${account} ${key}`;
      const made = keys.get(name) ?? knownKey(account);
      keys.set(name, made);
      return restClient(apiUrl, await made);
    },
    domain,
    async putZone(zone, text) {
      if (facts.dnsControl === null) throw new Error(`${zone} is somebody else's zone`);
      const response = await fetch(`${facts.dnsControl}/zones/${zone}`, {
        method: 'PUT',
        body: text,
        signal: AbortSignal.timeout(5_000),
      });
      if (!response.ok) throw new Error(`DNS control: ${await response.text()}`);
    },
    answers: (hostname, tenant) =>
      within(`https://${hostname}/ answers from ${tenant}`, patienceMs, async () => {
        const { status, body } = await askHttps({ address: facts.ingressAddress, ca, hostname });
        expectThat(status === 200, `status ${status}`);
        expectThat((JSON.parse(body) as { tenant?: string }).tenant === tenant, `answered by somebody else: ${body}`);
      }),
    domainWhere: (namespace, name, what, complain) =>
      within(`${name} ${what}`, patienceMs, async () => {
        const seen = await domain(namespace, name);
        const complaint = complain(seen);
        expectThat(complaint === null, complaint ?? '');
        return seen;
      }).catch(async (error: unknown) => {
        if (!(error instanceof NotSeen)) throw error;
        throw new NotSeen(`${error.message}\n${await issuanceFacts(kubectl, namespace)}`);
      }),
    async account(name, plan) {
      await kubectl.apply(...accountObjects(name, plan));
    },
    async tenant(namespace, name) {
      const tenant = await play(kubectl, namespace, name);
      tenants.push(tenant);
      return tenant;
    },
    close: async () => void (await Promise.all(tenants.map((tenant) => tenant.stop()))),
  };
}

/** A complaint unless the domain is in this state (and, if given, not Ready for this reason). */
export const inState =
  (state: string, reason?: string) =>
  ({ status }: SeenDomain): string | null => {
    const { reason: why, message } = status?.conditions?.find(({ type }) => type === 'Ready') ?? notSet;
    if (status?.state === state && (reason === undefined || why === reason)) return null;
    return `state ${status?.state ?? 'not set'}, reason ${why}: ${message}`;
  };

const notSet = { reason: 'not set', message: 'no conditions yet' };
