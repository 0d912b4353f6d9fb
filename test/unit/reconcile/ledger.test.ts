import { describe, expect, it } from '@jest/globals';
import type { OrderEntry } from '../../../src/reconcile/ledger.ts';
import { isRecorded, waitsUntil, withOrder, withOutcomes } from '../../../src/reconcile/ledger.ts';
import { learn, recall, rememberedAs } from '../../../src/reconcile/project-domain/memory.ts';
import { domain, judgement, now, request } from '../../support/snapshot.ts';

const minute = 60_000;
const entry = (request: string, minutesAgo: number, outcome: OrderEntry['outcome'] = 'Failed'): OrderEntry => ({
  request,
  at: new Date(now - minutesAgo * minute).toISOString(),
  outcome,
});

describe('the ledger of one name', () => {
  it.each<[string, readonly OrderEntry[], number | null]>([
    ['no orders, no waiting', [], null],
    ['four failures within the hour are allowed', [50, 40, 30, 20].map((ago) => entry(`r${ago}`, ago)), null],
    [
      'the fifth waits until the oldest is an hour old',
      [50, 40, 30, 20, 10].map((ago) => entry(`r${ago}`, ago)),
      now + 10 * minute,
    ],
    ['a sixth moves the end on', [55, 50, 40, 30, 20, 10].map((ago) => entry(`r${ago}`, ago)), now + 10 * minute],
    ['older failures do not count', [90, 80, 70, 61, 10].map((ago) => entry(`r${ago}`, ago)), null],
    [
      'issued and pending orders do not count',
      [50, 40, 30, 20, 10].map((ago) => entry(`r${ago}`, ago, ago > 25 ? 'Issued' : 'Pending')),
      null,
    ],
  ])('%s', (_, orders, until) => {
    expect(waitsUntil(orders, now)).toBe(until);
  });

  it('keeps twenty entries of the last seven days', () => {
    const orders = Array.from({ length: 25 }, (_, index) => entry(`r${index}`, index));
    expect(withOrder(orders, request('new'), now)).toHaveLength(20);
    expect(withOrder([entry('old', 8 * 24 * 60)], request('new'), now).map(({ request: name }) => name)).toEqual([
      'u-new',
    ]);
  });

  it('a request that comes again under the name of one that was taken away is another order', () => {
    const [first] = withOrder([], request('a'), now);
    const again = { ...request('a'), metadata: { ...request('a').metadata, uid: 'u-again' } };
    expect(isRecorded(first ? [first] : [], request('a'))).toBe(true);
    expect(isRecorded(first ? [first] : [], again)).toBe(false);
  });

  it('outcomes are read off the requests, once; nothing new is the same array', () => {
    const orders = [entry('u-a', 3, 'Pending'), entry('u-b', 2, 'Pending'), entry('u-c', 1, 'Pending')];
    const requests = [
      request('a', [{ type: 'Ready', status: 'True' }]),
      request('b', [{ type: 'Ready', status: 'False', reason: 'Failed' }]),
      request('c'),
    ];
    const settled = withOutcomes(orders, requests);
    expect(settled.map(({ outcome }) => outcome)).toEqual(['Issued', 'Failed', 'Pending']);
    expect(withOutcomes(settled, requests)).toBe(settled);
  });
});

describe('what a check leaves behind', () => {
  const fresh = recall(domain());
  const no = judgement({ routing: { verdict: 'no', code: 'RecordMissing', by: null } });
  const unknown = judgement({ routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null } });

  it('failures in a row are counted from the first, a yes forgives, an unknown does neither', () => {
    const failed = learn(learn(fresh, no, now), no, now + minute);
    expect(failed).toMatchObject({ failures: 2, failingSince: now });
    expect(learn(failed, unknown, now + 2 * minute)).toMatchObject({
      failures: 2,
      failingSince: now,
      unknownSince: now + 2 * minute,
    });
    expect(learn(failed, judgement(), now + 2 * minute)).toMatchObject({
      failures: 0,
      failingSince: null,
      unknownSince: null,
    });
  });

  it('proofs in a row are counted, and anything less begins anew', () => {
    const twice = learn(learn(fresh, judgement(), now), judgement(), now);
    expect(twice.successes).toBe(2);
    expect(learn(twice, judgement({ ownership: { verdict: 'no', code: 'TxtMissing' } }), now).successes).toBe(0);
  });

  it('the zone is remembered while a walk cannot find it', () => {
    expect(learn(learn(fresh, judgement(), now), judgement({ zone: null }), now).zone).toBe('example.com');
  });

  it('the name servers are remembered while a walk cannot find them, and replaced when they changed', () => {
    const known = learn(fresh, judgement(), now);
    expect(learn(known, judgement({ nameServers: [] }), now).nameServers).toEqual(['ns1.dns.test', 'ns2.dns.test']);
    expect(learn(known, judgement({ nameServers: ['a.new.test'] }), now).nameServers).toEqual(['a.new.test']);
  });

  it('name servers that nobody found yet are not written', () => {
    expect(rememberedAs(learn(fresh, judgement({ nameServers: [] }), now))).not.toHaveProperty('nameServers');
  });

  it('memory survives being written and read', () => {
    const memory = learn(learn(fresh, no, now), unknown, now);
    const check = JSON.parse(JSON.stringify(rememberedAs(memory))) as ReturnType<typeof rememberedAs>;
    expect(recall(domain({ status: { check } }))).toEqual(memory);
  });
});
