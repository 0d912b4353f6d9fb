import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventsPage } from '../../../../src/dashboard/controllers/events-controller.ts';
import { Problem } from '../../../../src/use-cases/problem.ts';
import { ProjectDomainKind } from '../../../../src/resources/kinds.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest } from '../../../support/page-request.ts';

/** What the open pages of a project are told. */

let api: InMemoryApi;
let key: string;
let gone: AbortController;

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  gone = new AbortController();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  gone.abort();
  api.stop();
});

async function stream(asked: Asked = {}): Promise<AsyncIterator<string>> {
  const request = pageRequest(api, key, { params: { project: 'shop' }, signal: gone.signal, ...asked });
  const answer = await eventsPage(request);
  if (!('events' in answer)) throw new Error('no stream');
  return answer.events[Symbol.asyncIterator]();
}

const next = async (events: AsyncIterator<string>): Promise<string> => {
  const result = await events.next();
  return result.done ? 'the end' : result.value;
};
const versionOf = (name: string) => api.stores.domains.get({ namespace: 'acme', name })?.metadata.resourceVersion ?? '';

describe('the stream of a project', () => {
  it('begins with the names there are, and with what is newer than the page', async () => {
    api.domain('acme', 'a.example.com');
    const since = versionOf('a.example.com');
    api.domain('acme', 'b.example.com');
    const events = await stream({ query: { since } });
    expect(await next(events)).toBe('event: names\ndata: {"hostnames":["a.example.com","b.example.com"]}\n\n');
    const told = await next(events);
    expect(told).toMatch(
      new RegExp(`^id: ${versionOf('b.example.com')}\nevent: domain\ndata: \\{"hostname":"b\\.example`),
    );
    expect(told).toContain('"row":');
  });

  it.each([
    ['everything when the version is no number', { since: 'x' }],
    ['everything when none is given', {}],
  ])('tells %s', async (_, query) => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query });
    await next(events);
    expect(await next(events)).toContain('"hostname":"a.example.com"');
  });

  it('tells changes as they come, the last of each name, and what is gone', async () => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query: { since: versionOf('a.example.com') } });
    await next(events);
    const pending = next(events);
    api.domain('acme', 'a.example.com', { status: { state: 'Degraded' } });
    expect(await pending).toContain('event: domain');
    const removed = next(events);
    await api.cluster.remove(ProjectDomainKind, { namespace: 'acme', name: 'a.example.com' });
    expect(await removed).toBe('event: removed\ndata: {"hostname":"a.example.com"}\n\n');
  });

  it('tells a hostname that another domain has by then as changed: an addition may be heard before the removal', async () => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query: { since: versionOf('a.example.com') } });
    await next(events);
    const [first] = api.stores.domains.list();
    const second = { ...first, metadata: { name: 'second', namespace: 'acme' } };
    await api.cluster.create(ProjectDomainKind, second as never);
    expect(await next(events)).toContain('event: domain');
    await api.cluster.remove(ProjectDomainKind, { namespace: 'acme', name: 'a.example.com' });
    expect(await next(events)).toContain('event: domain');
  });

  it('tells several changes in the order in which a stream that is interrupted can resume', async () => {
    const events = await stream();
    await next(events);
    for (const hostname of ['a.example.com', 'b.example.com', 'a.example.com']) api.domain('acme', hostname);
    expect(await next(events)).toContain('"hostname":"b.example.com"');
    expect(await next(events)).toContain('"hostname":"a.example.com"');
  });

  it('tells the domain of the page as removed if it is gone before it is read', async () => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query: { hostname: 'a.example.com' } });
    await next(events);
    api.stores.domains.byIndex = () => [];
    expect(await next(events)).toBe('event: removed\ndata: {"hostname":"a.example.com"}\n\n');
  });

  it('ends with the error of a domain that cannot be shown, and does not tell it as removed', async () => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query: {} });
    await next(events);
    api.stores.domains.get = () => {
      throw new RangeError('a fault of ours');
    };
    await expect(next(events)).rejects.toThrow('a fault of ours');
  });

  it.each<[string, Readonly<Record<string, string>>, readonly boolean[]]>([
    ['the list, which shows none', {}, [false, false]],
    ["one domain, which shows that domain's", { hostname: 'b.example.com' }, [false, true]],
  ])('sends the panel, whose cost grows with the project, only to the page of %s', async (_, query, panels) => {
    for (const hostname of ['a.example.com', 'b.example.com']) api.domain('acme', hostname);
    const events = await stream({ query });
    await next(events);
    const told = [await next(events), await next(events)];
    expect(told.map((event) => event.includes('"row":'))).toEqual([true, true]);
    expect(told.map((event) => event.includes('"panel":'))).toEqual(panels);
  });

  it.each<[string, number, boolean]>([
    ['sends the panel at a heartbeat once another check is the next, although nothing was written', 5_000, true],
    ['sends nothing at a heartbeat while the next check is the one that it told', 4_000, false],
  ])('%s', async (_, passed, isTold) => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    const time = Date.parse('2026-01-01T12:00:00Z');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(time);
    const at = '2026-01-01T12:00:00Z';
    const accepted = {
      type: 'Accepted',
      status: 'True',
      reason: 'Accepted',
      message: '',
      lastTransitionTime: at,
    } as const;
    const status = { state: 'Unverified', check: { startedAt: at, checkedAt: at }, conditions: [accepted] } as const;
    api.domain('acme', 'a.example.com', { status });
    const events = await stream({ query: { hostname: 'a.example.com' } });
    for (const part of ['names', '12:00:05']) expect(await next(events)).toContain(part);
    clock.mockReturnValue(time + passed);
    const pending = next(events);
    await new Promise(setImmediate);
    jest.advanceTimersByTime(15_000);
    expect((await pending).includes('12:00:10')).toBe(isTold);
  });

  it.each<[string, number, number | null]>([
    ['nothing, where they are few', 20, null],
    ['a request for twenty more', 21, 1],
    ['a request for each further twenty and for the rest', 61, 3],
  ])('costs %s, beside the request that opens it', async (_, count, paid) => {
    for (let index = 0; index < count; index += 1) api.domain('acme', `d${index}.example.com`);
    const spent: number[] = [];
    await stream({ query: { since: '0' }, spend: (units) => Promise.resolve(void spent.push(units)) });
    expect(spent).toEqual(paid === null ? [] : [paid]);
    spent.splice(0);
    await stream({ query: { since: versionOf(`d${count - 1}.example.com`) } });
    expect(spent).toEqual([]);
  });

  it('ends at once, and gives its place back, when the client leaves as the last row is sent', async () => {
    api.domain('acme', 'a.example.com');
    const events = await stream({ query: { since: '0' } });
    await next(events);
    expect(await next(events)).toContain('event: domain');
    gone.abort();
    expect(await next(events)).toBe('the end');
  });

  it('takes no place of the account if that is refused', async () => {
    for (let index = 0; index < 21; index += 1) api.domain('acme', `d${index}.example.com`);
    const spend = () => Promise.reject(new Problem('quota-exceeded', 'spent'));
    for (let count = 0; count < 11; count += 1)
      await expect(stream({ query: { since: '0' }, spend })).rejects.toMatchObject({ code: 'quota-exceeded' });
  });

  it("tells nothing of another project's domains", async () => {
    api.project('acme', 'other');
    const events = await stream();
    await next(events);
    const pending = next(events);
    api.domain('acme', 'o.example.com', { spec: { project: 'other', hostname: 'o.example.com', role: 'Primary' } });
    api.domain('acme', 'a.example.com');
    expect(await pending).toContain('"hostname":"a.example.com"');
  });

  it('ends when its key is deleted, and gives its place back', async () => {
    const { streams } = api.dependencies;
    const others = Array.from({ length: 9 }, () => streams.take('acme'));
    const events = await stream();
    await next(events);
    expect(() => streams.take('acme')).toThrow('10 event streams');
    const pending = next(events);
    const { keyId = '' } = api.as(key).caller.apiKey.spec;
    const [object] = api.stores.apiKeys.byIndex('keyId', keyId);
    if (object) api.stores.apiKeys.drop(object);
    await pending;
    while ((await next(events)) !== 'the end') continue;
    expect([...others, streams.take('acme')]).toHaveLength(10);
  });

  it.each<[string, Asked, string]>([
    ['a project that is not there', { params: { project: 'none' } }, 'not-found'],
    ['a key that may not read', {}, 'scope-missing'],
    ['the eleventh of an account', {}, 'too-many-streams'],
  ])('is refused: %s', async (_, asked, code) => {
    if (code === 'scope-missing') key = api.key('acme', ['domains:write']);
    if (code === 'too-many-streams') for (let index = 0; index < 10; index += 1) api.dependencies.streams.take('acme');
    await expect(stream(asked)).rejects.toMatchObject({ code });
  });
});
