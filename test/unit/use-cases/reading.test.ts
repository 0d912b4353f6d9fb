import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Decision } from '../../../src/quota/quota-port.ts';
import { listDomains } from '../../../src/use-cases/list-domains.ts';
import { showDomain } from '../../../src/use-cases/read-domains.ts';
import { showDomainConfig } from '../../../src/use-cases/domain-config.ts';
import { showProject } from '../../../src/use-cases/projects.ts';
import { showUsage } from '../../../src/use-cases/account-and-usage.ts';
import type { DomainEvent } from '../../../src/use-cases/watch-domain.ts';
import { watchDomain } from '../../../src/use-cases/watch-domain.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What is seen, by whom, and until when. */

let api: InMemoryApi;
let key: string;
const path = { project: 'shop', hostname: 'www.example.com' };
const live = { state: 'Live' } as const;

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com');
});
afterEach(() => api.stop());

describe('usage', () => {
  const minute = { limit: 60, remaining: 12, resetsAtMs: 999_001 };
  const window = { limit: 60, used: 48, remaining: 12, resetAt: '1970-01-01T00:16:40Z' };
  const common = {
    kind: 'allowed',
    now: 0,
    binding: 'minute',
    retryAfter: null,
    banBegins: false,
    degraded: false,
  } as const;
  const ban = { until: 5_000, seconds: 60, strikes: 18, step: 1 };

  it.each<[string, Decision, object]>([
    [
      'without a day window shows the minute twice',
      { ...common, minute, day: null, ban: null },
      { minute: window, day: window, ban: null },
    ],
    [
      'shows a ban with its end and why, and nothing of strikes',
      { ...common, minute, day: minute, ban },
      {
        ban: {
          until: '1970-01-01T01:23:20Z',
          reason: 'the client kept sending requests after 429 responses, before Retry-After had passed',
        },
      },
    ],
  ])('%s', async (_, decision, expected) => {
    const asked: unknown[] = [];
    const decide = (ask: { readonly spend: number }) => {
      asked.push(ask.spend);
      return Promise.resolve(decision);
    };
    const dependencies = { ...api.dependencies, limiter: { ...api.dependencies.limiter, decide } };
    expect(await showUsage(api.as(key, { dependencies }))).toMatchObject(expected);
    expect(asked).toEqual([0]);
  });
});

describe('what belongs to another account', () => {
  it.each([
    ['project', () => showProject(api.as(key), { project: 'theirs' })],
    ['domain', () => showDomain(api.as(key), { project: 'theirs', hostname: 'www.example.org' })],
  ])('is not there: a %s', async (_, ask) => {
    api.account('foreign', 'pro');
    api.project('foreign', 'theirs');
    await expect(ask()).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('what is being deleted', () => {
  it('is not there any more, although its finalizers hold it', async () => {
    const seen = api.stores.domains.get({ namespace: 'acme', name: 'www.example.com' });
    api.put({ ...seen, metadata: { ...seen?.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const { items } = await listDomains(api.as(key), { project: 'shop', page: { limit: 10 } });
    expect(items).toEqual([]);
    await expect(showDomain(api.as(key), path)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a configuration', () => {
  it.each([
    [
      'leads to the primary where no destination is given',
      { primary: 'a.example.com', redirects: [{ from: 'b.example.com' }] },
      'a.example.com',
    ],
    ['leads nowhere where there is no primary either', { redirects: [{ from: 'b.example.com' }] }, null],
  ])('%s', async (_, domains, to) => {
    const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
    api.put({ ...shop, spec: { ...shop?.spec, domains } });
    const { redirects } = await showDomainConfig(api.as(key), { project: 'shop' });
    expect(redirects).toEqual([{ from: 'b.example.com', to, status: 301 }]);
  });
});

describe('a domain that is watched', () => {
  const watch = async () => (await watchDomain(api.as(key), path))[Symbol.asyncIterator]();
  const next = async (events: AsyncIterator<DomainEvent>): Promise<string> => {
    const result = await events.next();
    if (result.done) return 'the end';
    const { value } = result;
    return value.kind === 'state' ? `state ${value.domain.state}` : value.kind;
  };

  it('is told at first, at each change of state, and by a heartbeat for anything else', async () => {
    const events = await watch();
    const told = [await next(events)];
    const changes = [{ state: 'Degraded' }, { state: 'Degraded', issues: [] }, live] as const;
    for (const status of changes) {
      const pending = next(events);
      const conditions = [{ type: 'Ready', status: 'True', reason: status.state, message: '' }];
      api.domain('acme', 'www.example.com', { status: { ...status, conditions } as never });
      told.push(await pending);
    }
    expect(told).toEqual(['state Live', 'state Degraded', 'heartbeat', 'state Live']);
    await events.return?.();
  });

  it('is not told to a key that was deleted: the stream ends, and not as if the domain were removed', async () => {
    const events = await watch();
    const told = [await next(events)];
    const pending = next(events);
    const [object] = api.stores.apiKeys.byIndex('account', 'acme');
    if (object) api.stores.apiKeys.drop(object);
    expect([...told, await pending]).toEqual(['state Live', 'the end']);
  });

  it('gives its place back as soon as nobody listens', async () => {
    const taken = Array.from({ length: 9 }, () => api.dependencies.streams.take('acme'));
    const events = await watch();
    await next(events);
    await expect(watch()).rejects.toMatchObject({ code: 'too-many-streams' });
    await events.return?.();
    expect([...taken, await watch()]).toHaveLength(10);
  });
});
