import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChangedObject } from '../../../src/operator/changes-since.ts';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** What a new leader queues at once: what is not settled, and whom a change concerns. */

let crowd: Crowd;
let clock: FakeClock;

const condition = { status: 'True' as const, message: '', observedGeneration: 1 };
const at = '2026-01-01T00:00:00Z';
const conditions = [{ ...condition, type: 'Ready', reason: 'Ready', lastTransitionTime: at }];

beforeEach(() => {
  clock = createFakeClock(Date.parse('2026-02-01T00:00:00Z'));
  crowd = createCrowd({ accounts: 4, domainsEach: 2 }, clock);
  const { projects } = crowd.stores;
  for (const project of projects.list())
    crowd.change(projects, { ...project, status: { ...project.status, deployedAt: at, conditions } }, {});
});

afterEach(() => crowd.close());

/** The projects and domains that are due once all that a start finds is queued. */
async function dueAfter(changed: readonly ChangedObject[] | null) {
  const { sweeps } = crowd.connect(changed);
  const asked = sweeps.nextEpoch();
  while (!sweeps.isDone(asked)) await clock.advance(0);
  // A key is due at the next whole millisecond.
  await clock.advance(1);
  const { project, projectDomain } = crowd.queues;
  return { projects: project.depth(), domains: projectDomain.depth() };
}

const ofAccount = (name: string): ChangedObject => ({ store: 'accounts', key: `/${name}`, deleted: undefined });
const ofProject = (namespace: string): ChangedObject => ({
  store: 'projects',
  key: `${namespace}/shop`,
  deleted: undefined,
});

describe('a new leader', () => {
  it('visits everything at once when anything may have changed', async () => {
    expect(await dueAfter(null)).toEqual({ projects: 4, domains: 8 });
  });

  it('visits at once what is unfinished, such as these domains without a certificate, and no settled project', async () => {
    expect(await dueAfter([])).toEqual({ projects: 0, domains: 8 });
  });

  it('visits at once what changed while nobody led: would fail if a change were only remembered', async () => {
    expect((await dueAfter([ofProject('a1'), ofProject('a3')])).projects).toBe(2);
  });

  it('visits at once whom a removal while nobody led concerns, by the object as it was', async () => {
    const domain = crowd.domain(2, 1);
    crowd.stores.domains.drop(domain);
    const gone = { store: 'domains', key: 'a2/d1', deleted: domain };
    expect((await dueAfter([gone])).projects).toBe(1);
  });

  it('queues each key once, though its namespace, its account and a sweep ask for it: the redirector Service is read each time', async () => {
    const add = jest.spyOn(crowd.queues.redirectorEndpoints, 'add');
    await dueAfter([{ store: 'namespaces', key: '/a1', deleted: undefined }, ofAccount('a1'), ofAccount('a2')]);
    expect(add.mock.calls.map(([key]) => key).filter((key) => key === 'a1')).toEqual(['a1']);
  });

  it('leaves out what came and went again', async () => {
    expect((await dueAfter([ofProject('never-there')])).projects).toBe(0);
  });
});
