import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accountLabel } from '../../../src/resources/object-metadata.ts';
import {
  createHandoverLink,
  listHandoverLinks,
  revokeHandoverLink,
  showHandover,
} from '../../../src/use-cases/handover-links.ts';
import type { HandoverLink } from '../../../src/use-cases/handover-links-port.ts';
import { makeLink, waiting } from '../../support/handover.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Who may make a link, what it shows, and what ends it. */

const hostname = 'www.customer.example';
const path = { project: 'shop', hostname };
let api: InMemoryApi;
let key: string;

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', hostname, waiting('shop', hostname));
});
afterEach(() => api.stop());

const keyObject = () => api.stores.apiKeys.list().find(({ spec }) => spec.account === 'acme');
const domainObject = () => api.stores.domains.get({ namespace: 'acme', name: hostname });
const create = (days: 1 | 7 | 30 = 7) => createHandoverLink(api.as(key), { ...path, days });
const shownBy = (link: HandoverLink) => showHandover(api.dependencies, link);

describe('a link', () => {
  it.each([1, 7, 30] as const)('lasts %d days, is told its path once, and is listed without it', async (days) => {
    const { path: shown, ...view } = await create(days);
    expect(shown).toMatch(/^\/dashboard\/records\/[A-Za-z0-9_-]{68}$/);
    expect(Date.parse(view.expiresAt) - Date.parse(view.createdAt)).toBe(days * 86_400_000);
    expect(view.createdBy).toBe(keyObject()?.spec.keyId);
    expect(await listHandoverLinks(api.as(key), path)).toEqual([view]);
  });

  it('shows the records, what to delete and what to add besides, with the labels of the host', async () => {
    const { link } = await makeLink(api, key, hostname);
    expect(shownBy(link)).toMatchObject({
      hostname,
      domain: {
        records: [{ type: 'CNAME', name: 'www', fqdn: hostname, status: 'Unknown' }],
        issues: [
          {
            delete: [{ type: 'A', value: '192.0.2.7' }],
            create: [{ type: 'CAA', value: '0 issue "letsencrypt.org"' }],
          },
        ],
      },
      from: null,
      dnsHost: { name: 'Cloudflare', labels: { name: 'Name', value: 'Target' } },
      isChecked: true,
      expiresAt: new Date(link.expires).toISOString(),
    });
  });

  it.each([
    ['Ada of Acme', 'Ada of Acme'],
    ['', null],
  ])('names who sends it, where somebody is named: "%s"', async (from, shown) => {
    const { id } = await createHandoverLink(api.as(key), { ...path, days: 7, from });
    const uid = domainObject()?.metadata.uid ?? '';
    const link = (await api.handoverLinks.list(uid)).find((one) => one.id === id);
    expect(link && shownBy(link)?.from).toBe(shown);
    expect((await listHandoverLinks(api.as(key), path)).map(({ from: listed }) => listed)).toEqual([shown]);
  });

  it('is refused as the sixth of a domain, and allowed again once one is revoked', async () => {
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await create());
    await expect(create()).rejects.toMatchObject({ code: 'link-cap-reached' });
    await revokeHandoverLink(api.as(key), { ...path, link: made[0]?.id ?? '' });
    expect((await create()).id).not.toBe(made[0]?.id);
    expect(await listHandoverLinks(api.as(key), path)).toHaveLength(5);
  });

  it('does not take a place once its key is gone', async () => {
    const other = api.key('acme', ['domains:write']);
    for (let count = 0; count < 5; count += 1) await makeLink(api, other, hostname);
    const gone = api.stores.apiKeys.byIndex('keyId', other.split('_')[1] ?? '')[0];
    if (gone) api.stores.apiKeys.drop(gone);
    expect(await listHandoverLinks(api.as(key), path)).toEqual([]);
    await create();
    expect(await listHandoverLinks(api.as(key), path)).toHaveLength(1);
  });

  it('is not lost while the store is away: whatever is asked about links is refused until it is back', async () => {
    await create();
    api.handoverLinks.beAway(true);
    for (const ask of [
      () => create(),
      () => listHandoverLinks(api.as(key), path),
      () => revokeHandoverLink(api.as(key), { ...path, link: 'any' }),
    ])
      await expect(ask()).rejects.toMatchObject({ name: 'HandoverLinksUnavailable' });
    api.handoverLinks.beAway(false);
    expect(await listHandoverLinks(api.as(key), path)).toHaveLength(1);
  });
});

describe('a link is revoked', () => {
  it('by its id, and found no more', async () => {
    const { link, token } = await makeLink(api, key, hostname);
    await revokeHandoverLink(api.as(key), { ...path, link: link.id });
    expect(await api.handoverLinks.find(token)).toBeNull();
  });

  it('by another key of the account', async () => {
    const { link } = await makeLink(api, key, hostname);
    await revokeHandoverLink(api.as(api.key('acme', ['domains:write'])), { ...path, link: link.id });
    expect(await listHandoverLinks(api.as(key), path)).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ['of another domain', () => revokeOf(key, { project: 'shop', hostname: 'other.customer.example' })],
    ['of another account', () => revokeOf(api.account('foreign', 'pro'), path)],
    ['that does not exist', () => revokeHandoverLink(api.as(key), { ...path, link: 'none' })],
  ])('not as one %s', async (_, revoke) => {
    api.domain('acme', 'other.customer.example');
    const { token } = await makeLink(api, key, hostname);
    await expect(revoke()).rejects.toMatchObject({ code: 'not-found' });
    expect(await api.handoverLinks.find(token)).not.toBeNull();
  });
});

async function revokeOf(by: string, domain: typeof path): Promise<void> {
  const uid = domainObject()?.metadata.uid ?? '';
  const [link] = await api.handoverLinks.list(uid);
  await revokeHandoverLink(api.as(by), { ...domain, link: link?.id ?? '' });
}

describe('a link ends', () => {
  it.each<[string, () => void]>([
    ['its key is deleted', () => void (keyObject() && api.stores.apiKeys.drop(keyObject() as never))],
    ['its key expires', () => changeKey({ expiresAt: '2026-01-01T00:00:00Z' })],
    ['its key may only read', () => changeKey({ scopes: ['domains:read'] })],
    ['its key is another account’s', () => changeKey({ account: 'other' })],
    ['its domain is removed', () => void (domainObject() && api.stores.domains.drop(domainObject() as never))],
    [
      'its domain is being removed',
      () => api.put({ ...domainObject(), metadata: { ...domainObject()?.metadata, deletionTimestamp: 'now' } }),
    ],
    [
      'its domain was removed and added again',
      () =>
        api.stores.domains.put({
          ...domainObject(),
          metadata: { ...domainObject()?.metadata, uid: 'new', resourceVersion: '9999' },
        } as never),
    ],
    ['its account is removed', () => void api.stores.accounts.list().map((one) => api.stores.accounts.drop(one))],
    [
      'its domain is in another account’s namespace',
      () =>
        api.put({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'acme', labels: { [accountLabel]: 'other' } },
        }),
    ],
  ])('when %s', async (_, change) => {
    const { link } = await makeLink(api, key, hostname);
    expect(shownBy(link)).not.toBeNull();
    change();
    expect(shownBy(link)).toBeNull();
  });

  it.each<[string, () => void]>([
    ['its key is banned', () => api.put({ ...keyObject(), status: { bannedUntil: '2999-01-01T00:00:00Z' } })],
    [
      'the plan no longer has custom domains',
      () => api.put({ ...account(), spec: { ...account()?.spec, plan: 'free' } }),
    ],
    ['its domain is live', () => api.domain('acme', hostname)],
  ])('not when %s', async (_, change) => {
    const { link } = await makeLink(api, key, hostname);
    change();
    expect(shownBy(link)).toMatchObject({ hostname });
  });
});

const account = () => api.stores.accounts.get({ namespace: '', name: 'acme' });
const changeKey = (spec: object) => api.put({ ...keyObject(), spec: { ...keyObject()?.spec, ...spec } });
