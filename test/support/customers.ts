import { kebabCase } from '../../src/rules/kebab-case.ts';
import { eventually, expectThat, within } from '../../dev/lib/eventually.ts';
import type { Rest, RestAnswer } from '../../dev/lib/rest.ts';
import type { Stage } from '../../dev/story/stage.ts';

/** An account with one project, `shop`, that is deployed and serves from `<account>-web`. */
export interface Customer {
  readonly account: string;
  readonly rest: Rest;
  /** CNAME target of its project */
  readonly target: string;
  add(hostname: string, more?: object): Promise<RestAnswer>;
  domain(hostname: string): Promise<RestAnswer>;
  /** Asks for a look and waits until it has ended or the state changed. */
  verify(hostname: string): Promise<RestAnswer>;
  remove(hostname: string): Promise<RestAnswer>;
}

const api = 'projectdomain.io/v1alpha1';
const domains = '/v1/projects/shop/domains';

export async function customer(stage: Stage, account: string, plan = 'business'): Promise<Customer> {
  await stage.account(account, plan);
  const tenant = await stage.tenant(account, `${account}-web`);
  await tenant.becomeReady();
  await stage.kubectl.apply({
    apiVersion: api,
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: `${account}-web`, port: 8080 }, subdomain: `${account}-shop` },
  });
  const rest = await stage.rest(account);
  const target = await within(`the project of ${account} is deployed`, stage.patienceMs, async () => {
    const { body } = await rest('/v1/projects/shop');
    expectThat(typeof body.target === 'string' && typeof body.deployedAt === 'string', JSON.stringify(body));
    return body.target;
  });
  return Object.freeze({
    account,
    rest,
    target,
    add: (hostname: string, more: object = {}) => rest(domains, { method: 'POST', body: { hostname, ...more } }),
    domain: (hostname: string) => rest(`${domains}/${hostname}`),
    verify: (hostname: string) => rest(`${domains}/${hostname}/verify?wait=20s`, { method: 'POST' }),
    remove: (hostname: string) => rest(`${domains}/${hostname}`, { method: 'DELETE' }),
  });
}

interface Record {
  readonly type: string;
  readonly fqdn: string;
  readonly value: string;
}

/** A record that the customer is told to create; rejects when none of the type is shown. */
export function recordOf({ body }: RestAnswer, type: string): Record {
  const found = ((body.records ?? []) as readonly Record[]).find((record) => record.type === type);
  if (!found) throw new Error(`no ${type} among ${JSON.stringify(body.records)}`);
  return found;
}

/** Waits until the domain shows this state, and for this reason where one is given; both in the resources' words. */
export function domainIs(who: Customer, hostname: string, state: string, reason?: string): Promise<RestAnswer> {
  return eventually(`${hostname} of ${who.account} is ${state} ${reason ?? ''}`, 90_000, async () => {
    const seen = await who.domain(hostname);
    const { body } = seen;
    expectThat(
      body.state === kebabCase(state) && (reason === undefined || body.reason === kebabCase(reason)),
      `${String(body.state)} ${String(body.reason)}: ${String(body.message)}`,
    );
    return seen;
  });
}

export interface SeenClaim {
  readonly spec: {
    readonly phase: string;
    readonly epoch: number;
    readonly holder: { readonly namespace: string; readonly name: string };
  };
}

/** Who holds a hostname; null when nobody does. */
export const claimOf = ({ kubectl }: Stage, hostname: string): Promise<SeenClaim | null> =>
  kubectl.get<SeenClaim>('hostnameclaim', hostname);

/** What would serve or certify a hostname in a namespace. */
export async function childrenOf({ kubectl }: Stage, namespace: string): Promise<string> {
  return kubectl.run(['get', 'ingress,certificate,certificaterequest,order', '-n', namespace, '-o', 'json']);
}
