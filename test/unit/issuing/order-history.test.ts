import { describe, expect, it } from '@jest/globals';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import {
  isJustRecorded,
  orderClass,
  withGivenUp,
  withOrder,
  withOutcomes,
} from '../../../src/issuing/order-history.ts';
import {
  withVerdict,
  readCheckStatus,
  checkStatusFields,
} from '../../../src/controllers/project-domain/check-status.ts';
import { certificateIn, domain, verdict, now, request } from '../../support/snapshot.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const first = { kind: 'First', unconfirmed: false, checkedAt: null, delegation: null } as const;
const entry = (request: string, minutesAgo: number, outcome: OrderEntry['outcome'] = 'Failed'): OrderEntry => ({
  request,
  at: new Date(now - minutesAgo * minute).toISOString(),
  outcome,
});

describe('the orders on a claim', () => {
  it('of more than fit, failures go before certificates, which count for longer', () => {
    const issued = Array.from({ length: 5 }, (_, index) => entry(`issued${index}`, 9_000 - index, 'Issued'));
    const failed = Array.from({ length: 60 }, (_, index) => entry(`failed${index}`, 600 - index));
    const orders = withOrder([...issued, ...failed], request('new'), first, now);
    expect(orders).toHaveLength(40);
    expect(orders.filter(({ outcome }) => outcome === 'Issued')).toHaveLength(5);
    expect(orders.at(-1)).toMatchObject({ request: 'u-new', outcome: 'Pending', kind: 'First' });
  });

  it('of more than fit, what nobody refused goes before failures, which a limit counts', () => {
    const failed = Array.from({ length: 30 }, (_, index) => entry(`failed${index}`, 600 - index));
    const abandoned = Array.from({ length: 30 }, (_, index) => entry(`abandoned${index}`, 500 - index, 'Abandoned'));
    const orders = withOrder([...failed, ...abandoned], request('new'), first, now);
    expect([orders.length, orders.filter(({ outcome }) => outcome === 'Failed').length]).toEqual([40, 30]);
  });

  it('a certificate that is valid is kept however old its order is, as it may have to be revoked', () => {
    const acme = { account: 'a', thumbprint: 't', placed: 1, download: 'd' };
    const ends = (inDays: number) => ({ acme: { ...acme, notAfter: new Date(now + inDays * day).toISOString() } });
    const old = [
      { ...entry('ended', 90 * 1_440, 'Issued'), ...ends(-1) },
      { ...entry('valid', 80 * 1_440, 'Issued'), ...ends(10) },
    ];
    const failed = Array.from({ length: 60 }, (_, index) => entry(`failed${index}`, 600 - index));
    const orders = withOrder([...old, ...failed], request('new'), first, now);
    expect(orders).toHaveLength(40);
    expect(orders[0]).toMatchObject({ request: 'valid' });
  });

  it('of more than fit, what has to be revoked goes last', () => {
    const revocation = { reason: 'superseded' as const, since: '2026-01-01T00:00:00Z' };
    const open = { ...entry('open', 9_000), revocation };
    const issued = Array.from({ length: 60 }, (_, index) => entry(`issued${index}`, 600 - index, 'Issued'));
    const orders = withOrder([open, ...issued], request('new'), first, now);
    expect(orders).toHaveLength(40);
    expect(orders[0]).toMatchObject({ request: 'open' });
  });

  it('a request that comes again under the name of one that was taken away is another order', () => {
    const orders = withOrder([], request('a'), first, now);
    const again = { ...request('a'), metadata: { ...request('a').metadata, uid: 'u-again' } };
    expect([isJustRecorded(orders, request('a'), now), isJustRecorded(orders, again, now)]).toEqual([true, false]);
  });

  it('an order that was written down long ago is asked for again, and then stands once', () => {
    const orders = [entry('u-a', 5, 'Pending')];
    expect(isJustRecorded(orders, request('a'), now)).toBe(false);
    expect(withOrder(orders, request('a'), first, now)).toHaveLength(1);
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

  it('a request that is taken away before it ended is abandoned: nobody refused it', () => {
    const orders = [entry('u-a', 3, 'Issued'), entry('u-b', 2, 'Pending')];
    expect(withGivenUp(orders, [request('b')]).map(({ outcome }) => outcome)).toEqual(['Issued', 'Abandoned']);
  });

  it.each(['RenewalSuggested', 'RevocationRequested'])(
    'one that replaces a certificate early for a reason of ours, %s, is a renewal',
    (reason) => {
      const whole = certificateIn(true);
      const conditions = [{ type: 'Issuing', status: 'True' as const, reason }];
      expect(orderClass({ ...whole, status: { ...whole.status, conditions } }, now)).toBe('Renewal');
    },
  );

  it.each<[string, number | null, string]>([
    ['no certificate yet', null, 'First'],
    ['a certificate that was issued yesterday', 89 * day, 'First'],
    ['two thirds of its lifetime over', 30 * day, 'Renewal'],
    ['an hour left', hour, 'Renewal'],
    ['ended', -hour, 'Renewal'],
  ])('%s', (_, left, kind) => {
    const whole = certificateIn(true);
    const times = {
      notBefore: new Date(now + (left ?? 0) - 90 * day).toISOString(),
      notAfter: new Date(now + (left ?? 0)).toISOString(),
    };
    const certificate = left === null ? undefined : { ...whole, status: { ...whole.status, ...times } };
    expect(orderClass(certificate, now)).toBe(kind);
  });
});

describe('what a check leaves behind', () => {
  const fresh = readCheckStatus(domain());
  const no = verdict({ routing: { verdict: 'no', code: 'RecordMissing', by: null } });
  const unknown = verdict({ routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null } });

  it('failures in a row are counted from the first, a yes forgives, an unknown does neither', () => {
    const failed = withVerdict(withVerdict(fresh, no, now), no, now + minute);
    expect(failed).toMatchObject({ failures: 2, failingSince: now });
    expect(withVerdict(failed, unknown, now + 2 * minute)).toMatchObject({
      failures: 2,
      failingSince: now,
      unknownSince: now + 2 * minute,
    });
    expect(withVerdict(failed, verdict(), now + 2 * minute)).toMatchObject({
      failures: 0,
      failingSince: null,
      unknownSince: null,
    });
  });

  it('proofs in a row are counted, and anything less begins anew', () => {
    const twice = withVerdict(withVerdict(fresh, verdict(), now), verdict(), now);
    expect(twice.successes).toBe(2);
    expect(withVerdict(twice, verdict({ ownership: { verdict: 'no', code: 'TxtMissing' } }), now).successes).toBe(0);
  });

  it('the zone is remembered while a walk cannot find it', () => {
    expect(withVerdict(withVerdict(fresh, verdict(), now), verdict({ zone: null }), now).zone).toBe('example.com');
  });

  it('the name servers are remembered while a walk cannot find them, and replaced when they changed', () => {
    const known = withVerdict(fresh, verdict(), now);
    expect(withVerdict(known, verdict({ nameServers: [] }), now).nameServers).toEqual(['ns1.dns.test', 'ns2.dns.test']);
    expect(withVerdict(known, verdict({ nameServers: ['a.new.test'] }), now).nameServers).toEqual(['a.new.test']);
  });

  it('name servers that nobody found yet are not written', () => {
    expect(checkStatusFields(withVerdict(fresh, verdict({ nameServers: [] }), now))).not.toHaveProperty('nameServers');
  });

  it('what was found survives being written and read; that it may serve as evidence for an order does not', () => {
    const memory = withVerdict(withVerdict(fresh, no, now), unknown, now);
    const check = JSON.parse(JSON.stringify(checkStatusFields(memory))) as ReturnType<typeof checkStatusFields>;
    expect(readCheckStatus(domain({ status: { check } }))).toEqual({ ...memory, fullyCheckedAt: null });
  });
});
