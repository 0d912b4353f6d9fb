import { afterEach, describe, expect, it } from '@jest/globals';
import { addDomain } from '../../../src/use-cases/add-domain.ts';
import type { DomainOfProject } from '../../../src/use-cases/bulk/add-domains.ts';
import { addDomains } from '../../../src/use-cases/bulk/add-domains.ts';
import { removeDomains } from '../../../src/use-cases/bulk/remove-domains.ts';
import { verifyDomains } from '../../../src/use-cases/bulk/verify-domains.ts';
import type { DomainPath } from '../../../src/use-cases/find-in-account.ts';
import { documentOf } from '../../support/document-of.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/**
 * What the items of one call are answered, one after the other: a dry run says the same as the call itself, and both say what single calls would have.
 * Would fail if an item were judged without those before it, or stopped those after it.
 */

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

interface Given {
  readonly plan?: string;
  readonly overrides?: object;
  readonly given?: (api: InMemoryApi) => void;
}

/** Account acme with the deployed projects `shop` and `blog`, which have no domains. */
function start({ plan = 'pro', overrides, given }: Given = {}) {
  const api = createInMemoryApi();
  apis.push(api);
  const key = api.account('acme', plan);
  api.project('acme', 'blog');
  if (overrides) {
    const metadata = { name: 'acme' };
    const spec = { plan, id: 'id-of-acme', overrides };
    api.put({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata, spec });
  }
  given?.(api);
  return { api, context: api.as(key) };
}

type Outcome = Awaited<ReturnType<typeof verifyDomains>>[number];

const said = (outcome: Outcome): string =>
  outcome.kind === 'done' ? outcome.done.kind : documentOf(outcome.error).code;

type Said<Item> = readonly (readonly [Item, string])[];

/** Each with what is given: a row without that would be told when it is done. */
const rows = <Item>(table: readonly (readonly [string, Said<Item>, Given?])[]) =>
  table.map(([sentence, expected, given = {}]) => [sentence, expected, given] as const);

const primary = (hostname: string, project = 'shop'): DomainOfProject => ({ project, hostname, role: 'primary' });
const redirect = (hostname: string, to: string, project = 'shop'): DomainOfProject => ({
  ...{ project, hostname, role: 'redirect' },
  redirect: { to, status: 301 },
});
const toPlatform = (hostname: string, project = 'shop') =>
  redirect(hostname, project === 'shop' ? 'acme.apps.example.net' : 'blog-acme.apps.example.net', project);

const many = (count: number, said: string, from = 0): Said<DomainOfProject> =>
  Array.from({ length: count }, (_, index) => [toPlatform(`h${from + index}.example.com`), said] as const);

const additions: readonly (readonly [string, Said<DomainOfProject>, Given?])[] = [
  [
    'different hostnames',
    [
      [primary('www.example.com'), 'added'],
      [toPlatform('a.example.com'), 'added'],
    ],
  ],
  [
    'the same item twice',
    [
      [primary('www.example.com'), 'added'],
      [primary('www.example.com'), 'existing'],
    ],
  ],
  [
    'one hostname with two roles',
    [
      [primary('www.example.com'), 'added'],
      [toPlatform('www.example.com'), 'hostname-in-use'],
    ],
  ],
  [
    'one hostname in two projects',
    [
      [primary('www.example.com'), 'added'],
      [primary('www.example.com', 'blog'), 'hostname-in-use'],
    ],
  ],
  [
    'a second primary, and one of another project',
    [
      [primary('www.example.com'), 'added'],
      [primary('shop.example.com'), 'primary-exists'],
      [primary('www.example.org', 'blog'), 'added'],
    ],
  ],
  [
    'a redirect to an earlier item, one to a later item, and one to an item of another project',
    [
      [redirect('later.example.com', 'www.example.com'), 'invalid-redirect'],
      [primary('www.example.com'), 'added'],
      [redirect('example.com', 'www.example.com'), 'added'],
      [redirect('example.org', 'www.example.com', 'blog'), 'invalid-redirect'],
    ],
  ],
  [
    'a redirect to an earlier redirect, and to itself',
    [
      [primary('www.example.com'), 'added'],
      [redirect('a.example.com', 'www.example.com'), 'added'],
      [redirect('b.example.com', 'a.example.com'), 'invalid-redirect'],
      [redirect('c.example.com', 'c.example.com'), 'invalid-redirect'],
    ],
  ],
  [
    'what nobody may add, between what may be',
    [
      [toPlatform('a.example.com'), 'added'],
      [toPlatform('com'), 'invalid-hostname'],
      [toPlatform('shop.apps.example.net'), 'invalid-hostname'],
      [{ ...toPlatform('b.example.com'), prepare: true }, 'prepare-unavailable'],
      [{ project: 'shop', hostname: 'd.example.com', role: 'redirect' }, 'invalid-redirect'],
      [toPlatform('c.example.com'), 'added'],
    ],
  ],
  [
    'projects that are not there, and one of another account',
    [
      [primary('www.example.com', 'none'), 'not-found'],
      [primary('www.example.com', 'secret'), 'not-found'],
      [primary('www.example.com'), 'added'],
    ],
    {
      given: (api) => {
        api.account('other', 'pro');
        api.project('other', 'secret');
      },
    },
  ],
  [
    'one more than a project may have, and the first again',
    [...many(3, 'added'), ...many(1, 'domain-cap-reached', 3), ...many(1, 'existing')],
    { overrides: { customDomains: { maxPerProject: 3 } } },
  ],
  [
    'one more than the account may have, over two projects',
    [
      ...many(2, 'added'),
      [toPlatform('x.example.org', 'blog'), 'added'],
      [toPlatform('y.example.org', 'blog'), 'domain-cap-reached'],
      ...many(1, 'domain-cap-reached', 2),
    ],
    { overrides: { maximum: { domains: 3 } } },
  ],
  [
    'more than fits beside what is there',
    [
      [toPlatform('a.example.com'), 'added'],
      [toPlatform('b.example.com'), 'domain-cap-reached'],
    ],
    {
      overrides: { customDomains: { maxPerProject: 2 } },
      given: (api) => api.domain('acme', 'www.example.com'),
    },
  ],
  [
    'what is there already, as it is and with another role',
    [
      [primary('www.example.com'), 'existing'],
      [toPlatform('www.example.com'), 'hostname-in-use'],
    ],
    { given: (api) => api.domain('acme', 'www.example.com') },
  ],
  ['a plan without domains', many(2, 'plan-upgrade-required'), { plan: 'free' }],
];

describe('adding many', () => {
  const items = (said: Said<DomainOfProject>, dryRun: boolean) => ({
    sent: said.map(([item]) => item),
    read: (one: unknown) => one as DomainOfProject,
    dryRun,
  });

  it.each(rows(additions))('%s: a dry run says so and makes nothing', async (_, expected, given) => {
    const { api, context } = start(given);
    const outcomes = await addDomains(context, items(expected, true));
    expect(outcomes.map(said)).toEqual(expected.map(([, one]) => one));
    expect(api.cluster.written).toEqual([]);
  });

  it.each(rows(additions))('%s: is what happens', async (_, expected, given) => {
    const { api, context } = start(given);
    const outcomes = await addDomains(context, items(expected, false));
    expect(outcomes.map(said)).toEqual(expected.map(([, one]) => one));
    const added = expected.flatMap(([{ hostname }, one]) => (one === 'added' ? [`acme/${hostname}`] : []));
    expect(api.cluster.written.toSorted()).toEqual(added.toSorted());
  });

  it.each(rows(additions))('%s: is what Add says, called for one after the other', async (_, expected, given) => {
    const { context } = start(given);
    const told: string[] = [];
    for (const [{ project, ...domain }] of expected)
      told.push(
        await addDomain(context, { project, domain, dryRun: false }).then(
          ({ kind }) => kind,
          (error: unknown) => documentOf(error).code,
        ),
      );
    expect(told).toEqual(expected.map(([, one]) => one));
  });

  it('answers each with the records that it would have alone', async () => {
    const { context } = start();
    const expected = [[primary('www.example.com'), 'added']] as const;
    const [preview] = await addDomains(context, items(expected, true));
    const [made] = await addDomains(context, items(expected, false));
    const [existing] = await addDomains(context, items(expected, false));
    const shown = [preview, made, existing].map((one) => (one?.kind === 'done' ? one.done.domain : null));
    expect(shown[0]).toMatchObject({
      state: 'Unverified',
      records: [{ type: 'CNAME', fqdn: 'www.example.com', ttl: 3600 }],
    });
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  it('is in the cache once it is answered, however late that hears of it', async () => {
    const { api, context } = start();
    const slow = createInMemoryApi({ watchMs: 50 });
    apis.push(slow);
    const late = slow.as(slow.account('acme', 'pro'));
    await addDomains(late, items(many(20, 'added'), false));
    expect(slow.stores.domains.list()).toHaveLength(20);
    expect(api.stores.domains.list()).toHaveLength(0);
    expect(context.signal.aborted).toBe(false);
  });
});

describe('adding many of which writes fail', () => {
  const sent = [
    primary('www.example.com'),
    redirect('example.com', 'www.example.com'),
    toPlatform('a.example.com'),
    primary('shop.example.com'),
    primary('www.example.com'),
  ];
  const items = { sent, read: (one: unknown) => one as DomainOfProject, dryRun: false };

  it('adds what depends on none of them, and refuses what does', async () => {
    const { api, context } = start();
    api.cluster.refuseNext(1);
    const outcomes = await addDomains(context, items);
    expect(outcomes.map(said)).toEqual([
      'cluster-unavailable',
      'invalid-redirect',
      'added',
      // The place of the first is free again.
      'added',
      'primary-exists',
    ]);
  });

  it('begins no further item after an error that nobody expected', async () => {
    const { api, context } = start();
    const create = () => Promise.reject(new Error('a bug'));
    const dependencies = { ...api.dependencies, cluster: { ...api.cluster, create } };
    const hostnames = Array.from({ length: 20 }, (_, index) => toPlatform(`h${index}.example.com`));
    const outcomes = await addDomains({ ...context, dependencies }, { ...items, sent: hostnames });
    const told = outcomes.map(said);
    expect(told[0]).toBe('internal-error');
    expect(told.slice(4)).toEqual(Array(16).fill('not-begun'));
  });
});

const named = (hostname: string, project = 'shop'): DomainPath => ({ project, hostname });
const three = (api: InMemoryApi) => {
  for (const hostname of ['a.example.com', 'b.example.com', 'c.example.com'])
    api.domain('acme', hostname, {
      spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } },
    });
};
const apiVersion = 'projectdomain.io/v1alpha1';
const declared = (api: InMemoryApi) => {
  const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
  const domains = { primary: 'www.example.com', redirects: [{ from: 'example.com' }] };
  api.put({ ...shop, spec: { ...shop?.spec, domains } });
  const uid = shop?.metadata.uid ?? '';
  const owner = { apiVersion, kind: 'Project', name: 'shop', uid, controller: true };
  for (const hostname of ['www.example.com', 'example.com'])
    api.put({
      ...{ apiVersion, kind: 'ProjectDomain', spec: { project: 'shop', hostname } },
      metadata: { name: `declared-${hostname}`, namespace: 'acme', ownerReferences: [owner] },
    });
};

const removals: readonly (readonly [string, Said<DomainPath>, Given?])[] = [
  [
    'some that are there and some that are not',
    [
      [named('a.example.com'), 'removing'],
      [named('none.example.com'), 'not-found'],
      [named('b.example.com', 'blog'), 'not-found'],
      [named('b.example.com', 'none'), 'not-found'],
      [named('C.example.com'), 'removing'],
    ],
    { given: three },
  ],
  [
    'one twice',
    [
      [named('a.example.com'), 'removing'],
      [named('a.example.com'), 'not-found'],
      [named('b.example.com'), 'removing'],
    ],
    { given: three },
  ],
  [
    'a declared primary to which a redirect leads without naming it, then that redirect and the primary again',
    [
      [named('www.example.com'), 'invalid-redirect'],
      [named('example.com'), 'removing'],
      [named('www.example.com'), 'removing'],
    ],
    { given: declared },
  ],
];

const verifications: readonly (readonly [string, Said<DomainPath>, Given?])[] = [
  [
    'some that are there, one twice, and some that are not',
    [
      [named('a.example.com'), 'asked'],
      [named('a.example.com'), 'asked'],
      [named('none.example.com'), 'not-found'],
      [named('b.example.com', 'blog'), 'not-found'],
      [named('b.example.com'), 'asked'],
    ],
    { given: three },
  ],
  [
    'one that waits for something other than DNS',
    [
      [named('lost.example.com'), 'domain-pending'],
      [named('a.example.com'), 'asked'],
    ],
    {
      given: (api) => {
        three(api);
        const spec = { project: 'shop', hostname: 'lost.example.com', role: 'Redirect' as const };
        api.domain('acme', 'lost.example.com', {
          spec: { ...spec, redirect: { to: 'gone.example.com' } },
          status: { state: 'Pending' },
        });
      },
    },
  ],
];

describe.each([
  ['removing', removeDomains, removals],
  ['verifying', verifyDomains, verifications],
] as const)('%s many', (_, act, table) => {
  const items = (expected: Said<DomainPath>, dryRun: boolean) => ({
    sent: expected.map(([item]) => item),
    read: (one: unknown) => one as DomainPath,
    dryRun,
  });

  it.each(rows<DomainPath>(table))('%s: a dry run says so and changes nothing', async (_sentence, expected, given) => {
    const { api, context } = start(given);
    expect((await act(context, items(expected, true))).map(said)).toEqual(expected.map(([, one]) => one));
    expect(api.cluster.written).toEqual([]);
  });

  it.each(rows<DomainPath>(table))('%s: is what happens', async (_sentence, expected, given) => {
    const { context } = start(given);
    expect((await act(context, items(expected, false))).map(said)).toEqual(expected.map(([, one]) => one));
  });
});

describe('a call whose time is over', () => {
  it('writes nothing of what waits for its turn, awaits what is written, and says so of each', async () => {
    let release = () => undefined as void;
    const until = new Promise<void>((resolve) => (release = resolve));
    const api = createInMemoryApi({ until });
    apis.push(api);
    const over = new AbortController();
    const context = api.as(api.account('acme', 'pro'), { signal: over.signal });
    const sent = Array.from({ length: 12 }, (_, index) => toPlatform(`h${index}.example.com`));
    const call = addDomains(context, { sent, read: (one) => one as DomainOfProject, dryRun: false });
    while (api.cluster.mostAtOnce() < 4) await new Promise((resolve) => setImmediate(resolve));
    over.abort();
    release();
    const told = (await call).map(said);
    expect(told).toEqual([...Array<string>(4).fill('added'), ...Array<string>(8).fill('not-begun')]);
    expect(api.cluster.written).toHaveLength(4);
  });

  it('can be sent again: what was done is answered as it is', async () => {
    const { context } = start();
    const sent = Array.from({ length: 6 }, (_, index) => toPlatform(`h${index}.example.com`));
    const read = (one: unknown) => one as DomainOfProject;
    await addDomains(context, { sent: sent.slice(0, 3), read, dryRun: false });
    const told = (await addDomains(context, { sent, read, dryRun: false })).map(said);
    expect(told).toEqual(['existing', 'existing', 'existing', 'added', 'added', 'added']);
  });
});
