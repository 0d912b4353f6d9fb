import { describe, expect, it } from '@jest/globals';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask, Limiter } from '../../../src/quota/quota-port.ts';
import { pagesOfAccount, pagesOfSession, pagesQuota, quotaOf } from '../../../src/use-cases/quota-admission.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** The dashboard's budget beside the plan's, on the limiter's own decision. */

const noon = Date.parse('2026-01-01T12:00:00Z');

function setUp() {
  const api = createInMemoryApi();
  const { caller } = api.as(api.account('acme', 'free'));
  const asks: Ask[] = [];
  const states = new Map<string, typeof nothingSpent>();
  const clock = { now: noon };
  const limiter: Limiter = {
    recall: () => null,
    decide(ask) {
      asks.push(ask);
      const { figures, after } = decideQuota(states.get(ask.budget) ?? nothingSpent, ask, clock.now);
      states.set(ask.budget, after);
      return Promise.resolve(decisionOf(figures, ask));
    },
    close: () => Promise.resolve(),
  };
  const dependencies = { ...api.dependencies, limiter };
  const view = (session = 'one', spend = 1) => pagesQuota(dependencies, caller, session, spend);
  const call = () => quotaOf(dependencies, caller, 1);
  return { asks, clock, view, call, states };
}

const times = async <T>(count: number, act: () => Promise<T>): Promise<T | undefined> => {
  let last: T | undefined;
  for (let index = 0; index < count; index += 1) last = await act();
  return last;
};

describe('the dashboard’s budget', () => {
  it('serves a person although programs have spent the API’s day', async () => {
    const { view, call, clock } = setUp();
    for (let minute = 0; minute < 30; minute += 1) {
      await times(60, call);
      clock.now += 120_000;
    }
    expect(await call()).toMatchObject({ kind: 'limited', binding: 'day' });
    expect(await view()).toMatchObject({
      kind: 'allowed',
      minute: { limit: pagesOfSession.perMinute, remaining: 119 },
    });
  });

  it('takes nothing from the API’s, whose it neither is', async () => {
    const { view, call } = setUp();
    await times(pagesOfSession.perMinute, view);
    expect(await view()).toMatchObject({ kind: 'limited', minute: { remaining: 0 } });
    expect(await call()).toMatchObject({ kind: 'allowed', minute: { limit: 60, remaining: 59 } });
  });

  it('bans nobody for refused clicks, however long they go on', async () => {
    const { view, call, clock } = setUp();
    await times(pagesOfSession.perMinute, view);
    const kinds = new Set<string | undefined>();
    for (let click = 0; click < 200; click += 1) {
      clock.now += 200;
      kinds.add((await view())?.kind);
    }
    expect([...kinds]).toEqual(['limited']);
    expect((await call()).kind).toBe('allowed');
  });

  it('is of each session and of the account: another session goes on, all of them together do not', async () => {
    const { view } = setUp();
    await times(pagesOfSession.perMinute, () => view('one'));
    expect((await view('one')).kind).toBe('limited');
    expect((await view('two')).kind).toBe('allowed');
    for (let session = 3; session <= 8; session += 1) await times(100, () => view(`session ${session}`));
    expect(await view('the last')).toMatchObject({ kind: 'limited', minute: { limit: pagesOfAccount.perMinute } });
  });

  it('ends with the day, whatever the plan', async () => {
    const { view, clock } = setUp();
    for (let minute = 0; minute < 90; minute += 1) {
      await times(120, () => view(`session ${minute}`));
      clock.now += 61_000;
    }
    expect(await view('a new one')).toMatchObject({
      kind: 'limited',
      binding: 'day',
      day: { limit: pagesOfAccount.perDay },
    });
  });

  it('is read without spending any, and names neither key nor token', async () => {
    const { view, asks, states } = setUp();
    await view('a secret token', 0);
    expect(asks.map(({ spend, key }) => [spend, key])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect([...states.keys()].join(' ')).toMatch(/^ds:[\w-]{22} da:id-of-acme$/);
  });
});
