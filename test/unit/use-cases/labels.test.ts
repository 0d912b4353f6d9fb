import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import type { DomainLabels, LabelChange } from '../../../src/rules/domain-labels.ts';
import { changedLabels, isRoomFor } from '../../../src/rules/domain-labels.ts';
import { headOfDomain } from '../../../src/rules/domain-head.ts';
import { check } from '../../../src/server/request-validation.ts';
import { domainChange, domainNew } from '../../../src/server/schemas.ts';
import { addDomain } from '../../../src/use-cases/add-domain.ts';
import { changeDomain } from '../../../src/use-cases/change-domain.ts';
import { makePrimary } from '../../../src/use-cases/make-primary.ts';
import { listDomains } from '../../../src/use-cases/list-domains.ts';
import { showDomain } from '../../../src/use-cases/read-domains.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Names of a platform's own for a domain: what may be said, what stays, and what never gets in the way. */

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

const hostname = 'www.example.com';
const path = { project: 'shop', hostname };

/** Account acme, whose project `shop` has www.example.com with these labels. */
function start(labels: DomainLabels = {}, spec: Partial<ProjectDomain['spec']> = {}) {
  const api = createInMemoryApi();
  apis.push(api);
  const key = api.account('acme', 'pro');
  api.domain('acme', hostname, { spec: { ...path, role: 'Primary', labels, ...spec } });
  const written = () => api.cluster.get(ProjectDomainKind, { namespace: 'acme', name: hostname });
  return { api, context: api.as(key), written };
}

const many = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at + 10}`, value]));

describe('a change of labels', () => {
  it.each<[string, DomainLabels, LabelChange, DomainLabels | undefined]>([
    ['of none to none', {}, {}, undefined],
    ['adds to those that are there', { a: '1' }, { b: '2' }, { a: '1', b: '2' }],
    ['replaces the value of a name', { a: '1', b: '2' }, { a: '3' }, { a: '3', b: '2' }],
    ['takes one away by null', { a: '1', b: '2' }, { a: null }, { b: '2' }],
    ['takes the last one away', { a: '1' }, { a: null }, undefined],
    ['takes away what is not there', { a: '1' }, { b: null }, { a: '1' }],
    ['keeps an empty value', {}, { a: '' }, { a: '' }],
    ['of a name that every object has', { a: '1' }, { constructor: 'x' }, { a: '1', constructor: 'x' }],
  ])('%s', (_, before, change, after) => {
    expect(changedLabels(before, change)).toEqual(after);
  });

  it.each<[string, DomainLabels, boolean]>([
    ['20', many(20), true],
    ['21', many(21), false],
    ['2,048 characters', many(16, 'v'.repeat(125)), true],
    ['2,049 characters', { ...many(15, 'v'.repeat(125)), n99: 'v'.repeat(126) }, false],
    ['2,048 of which some are two code units', many(16, '😀'.repeat(125)), true],
  ])('leaves room for %s: %#', (_, labels, isRoom) => {
    expect(isRoomFor(labels)).toBe(isRoom);
  });
});

describe('labels in a body', () => {
  const ofNew = (labels: unknown) => check(domainNew, { hostname, labels }, 'body').labels;
  it.each<[string, Record<string, string>]>([
    ['of every kind of name', { customer: 'cus_123', 'acme.example/Order-No': '7', '9': '' }],
    ['of 63 and 255 characters', { ['a'.repeat(63)]: 'v'.repeat(255) }],
    ['named after what every object has', { constructor: 'x', toString: 'y' }],
  ])('are taken: %s', (_, labels) => {
    expect(ofNew(labels)).toEqual(labels);
  });

  it.each<[string, unknown]>([
    ['without a name', { '': 'x' }],
    ['with 64 characters in the name', { ['a'.repeat(64)]: 'x' }],
    ['with a colon in the name', { 'a:b': 'x' }],
    ['with a line break in the name', { 'a\n': 'x' }],
    ['with 256 characters in the value', { a: 'v'.repeat(256) }],
    ['with an escape in the value', { a: '\u001b[31m' }],
    ['with a mark of direction in the value', { a: '\u202eb' }],
    ['with a number as the value', { a: 1 }],
    ['with null in what is new', { a: null }],
    ['as a list', ['a']],
    ['of which there are 21', many(21)],
  ])('are refused: %s', (_, labels) => {
    expect(() => ofNew(labels)).toThrow(expect.objectContaining({ code: 'malformed-request' }));
  });

  it('are not the prototype, which is no field of an object', () => {
    expect(Object.entries(ofNew(JSON.parse('{"__proto__": "x"}')) ?? {})).toEqual([]);
  });

  it('of a change may be twice as many, as some take the place of others', () => {
    expect(Object.keys(check(domainChange, { labels: many(40) }, 'body').labels ?? {})).toHaveLength(40);
    expect(() => check(domainChange, { labels: many(41) }, 'body')).toThrow('name 40 labels at most');
  });

  it('are taken away by null in a change', () => {
    expect(check(domainChange, { labels: { a: null, b: 'c' } }, 'body').labels).toEqual({ a: null, b: 'c' });
  });
});

describe('a domain with labels', () => {
  it('shows them alone and in lists, and one without shows none', async () => {
    const { api, context } = start({ customer: 'cus_123' });
    api.domain('acme', 'b.example.com', { spec: { project: 'shop', hostname: 'b.example.com' } });
    const { items } = await listDomains(context, { project: 'shop', page: { limit: 10 } });
    expect(items.map(({ labels }) => labels)).toEqual([{}, { customer: 'cus_123' }]);
    expect((await showDomain(context, path)).domain.labels).toEqual({ customer: 'cus_123' });
  });

  it('has none of them in its head, which is kept for each domain', async () => {
    const domain = await start({ customer: 'cus_123' }).written();
    expect(domain && headOfDomain(domain).spec).toEqual({ ...path, role: 'Primary' });
  });

  it('is added with them', async () => {
    const { api, context } = start();
    const redirect = { hostname: 'b.example.com', role: 'redirect', redirect: { to: hostname, status: 301 } } as const;
    const domain = { ...redirect, labels: { customer: 'cus_123' } };
    const add = (added: typeof domain | typeof redirect) =>
      addDomain(context, { project: 'shop', domain: added, dryRun: false });
    expect(await add(domain)).toMatchObject({ kind: 'added', domain: { labels: domain.labels } });
    expect(await add(domain)).toMatchObject({ kind: 'existing' });
    expect(await add(redirect)).toMatchObject({ kind: 'existing', domain: { labels: domain.labels } });
    await expect(add({ ...domain, labels: { customer: 'cus_456' } })).rejects.toMatchObject({
      code: 'hostname-in-use',
    });
    expect(api.cluster.written.length).toBe(1);
  });

  it('keeps the others when one is changed, and all when its role is', async () => {
    const { context, written } = start({ a: '1', b: '2' });
    await changeDomain(context, { ...path, change: { labels: { a: null, c: '3' } } });
    expect((await written())?.spec.labels).toEqual({ b: '2', c: '3' });
    await changeDomain(context, { ...path, change: { redirect: null } });
    expect((await written())?.spec).toEqual({ ...path, role: 'Primary', labels: { b: '2', c: '3' } });
  });

  it('keeps what two change at the same time', async () => {
    const { context, written } = start();
    const change = (labels: LabelChange) => changeDomain(context, { ...path, change: { labels } });
    await Promise.all([change({ a: '1' }), change({ b: '2' }), change({ c: '3' })]);
    expect((await written())?.spec.labels).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('changes them together with its destination in one write', async () => {
    const { api, context, written } = start({}, { role: 'Redirect', redirect: { to: 'acme.apps.example.net' } });
    const before = api.cluster.written.length;
    const redirect = { to: 'acme.apps.example.net', status: 308 } as const;
    await changeDomain(context, { ...path, change: { redirect, labels: { a: '1' } } });
    expect((await written())?.spec).toMatchObject({ redirect, labels: { a: '1' } });
    expect(api.cluster.written.length).toBe(before + 1);
  });

  it('changes them although nothing else of it would be accepted', async () => {
    const { api, context } = start();
    const project = { metadata: { name: 'new', namespace: 'acme' }, spec: { service: { name: 'web', port: 80 } } };
    api.put({ apiVersion: ProjectKind.apiVersion, kind: 'Project', ...project });
    api.domain('acme', 'a.example.com', { spec: { project: 'new', hostname: 'a.example.com', role: 'Primary' } });
    const asked = { project: 'new', hostname: 'a.example.com' };
    await expect(changeDomain(context, { ...asked, change: {} })).rejects.toMatchObject({
      code: 'project-not-deployed',
    });
    const change = { labels: { customer: 'cus_123' } };
    expect(await changeDomain(context, { ...asked, change })).toMatchObject(change);
  });

  it('has none too many, of which nothing is written', async () => {
    const { api, context } = start(many(20));
    const before = api.cluster.written.length;
    const change = { role: 'primary', labels: { customer: 'x' } } as const;
    await expect(changeDomain(context, { ...path, change })).rejects.toMatchObject({ code: 'label-cap-reached' });
    expect(api.cluster.written.length).toBe(before);
    const swapped = { labels: { n10: null, customer: 'x' } };
    expect((await changeDomain(context, { ...path, change: swapped })).labels).toMatchObject({ customer: 'x' });
  });

  it('keeps them when it becomes the primary', async () => {
    const { api, context } = start({ a: '1' });
    const spec = { project: 'shop', hostname: 'b.example.com', role: 'Redirect', redirect: { to: hostname } } as const;
    api.domain('acme', 'b.example.com', { spec: { ...spec, labels: { b: '2' } } });
    const asked = { project: 'shop', hostname: 'b.example.com', spend: () => Promise.resolve() };
    expect(await makePrimary(context, asked)).toMatchObject({ role: 'primary', labels: { b: '2' } });
    expect((await showDomain(context, path)).domain).toMatchObject({ role: 'redirect', labels: { a: '1' } });
  });
});

describe('a domain that its project declares', () => {
  function declared() {
    const { api, context } = start();
    const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
    const domains = { redirects: [{ from: 'example.com', to: hostname, status: 301 as const }] };
    api.put({ ...shop, spec: { ...shop?.spec, domains } });
    const owner = { apiVersion: ProjectKind.apiVersion, kind: 'Project', name: 'shop', uid: shop?.metadata.uid ?? '' };
    const spec = {
      project: 'shop',
      hostname: 'example.com',
      role: 'Redirect',
      redirect: { to: hostname, status: 301 },
    };
    const metadata = { name: 'example.com', namespace: 'acme', ownerReferences: [{ ...owner, controller: true }] };
    api.put({ apiVersion: ProjectKind.apiVersion, kind: 'ProjectDomain', metadata, spec });
    return { api, context, asked: { project: 'shop', hostname: 'example.com' } };
  }

  it('has labels of its own, which its configuration does not mention', async () => {
    const { api, context, asked } = declared();
    const configuration = () => api.stores.projects.get({ namespace: 'acme', name: 'shop' })?.spec.domains;
    const before = configuration();
    const change = { labels: { customer: 'cus_123' } };
    expect(await changeDomain(context, { ...asked, change })).toMatchObject(change);
    expect(configuration()).toEqual(before);
  });

  it('changes them with its destination, which the configuration says', async () => {
    const { api, context, asked } = declared();
    const redirect = { to: hostname, status: 308 } as const;
    const key = { namespace: 'acme', name: 'example.com' };
    const end = api.stores.projects.subscribeTo({ namespace: 'acme', name: 'shop' }, () => {
      end();
      const seen = api.stores.domains.get(key);
      setImmediate(() => api.put({ ...seen, spec: { ...seen?.spec, redirect } }));
    });
    const change = { redirect, labels: { customer: 'cus_123' } };
    expect(await changeDomain(context, { ...asked, change })).toMatchObject(change);
    const written = await api.cluster.get(ProjectDomainKind, key);
    expect(written?.spec).toMatchObject({ redirect, labels: { customer: 'cus_123' } });
  });
});
