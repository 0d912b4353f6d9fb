import { describe, expect, it } from '@jest/globals';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { createQuotaCountingCheck } from '../../../src/controllers/account/quota-counting-check.ts';
import type { ObservedQuota } from '../../../src/controllers/account/account-snapshot.ts';

/** Kubernetes with a controller manager that finds our kinds late. */

const hard = { 'count/projects.projectdomain.io': '0', 'count/projectdomains.projectdomain.io': '0' };

function counting(...answers: readonly ObservedQuota['status'][]) {
  const left = [...answers];
  const deeds: string[] = [];
  let now = 0;
  const cluster = {
    apply: (_: unknown, object: object) => {
      deeds.push('apply');
      const status = left.shift();
      return Promise.resolve({ ...object, ...(status === undefined ? {} : { status }) });
    },
    remove: () => Promise.resolve(deeds.push('remove') > 0),
  } as unknown as Cluster;
  const counts = createQuotaCountingCheck({ cluster, namespace: 'projectdomain-system', elapsed: () => now });
  return { deeds, counts, pass: (ms: number) => void (now += ms) };
}

describe('whether Kubernetes counts our kinds', () => {
  it('is no while nothing is counted, and no more is asked within two seconds', async () => {
    const { counts, deeds } = counting(undefined, { hard, used: hard });
    expect([await counts(), await counts()]).toEqual([false, false]);
    expect(deeds).toEqual(['apply']);
  });

  it('is tried anew where the quota was refused its count, as such a quota stays so for minutes', async () => {
    const { counts, deeds, pass } = counting({ hard }, undefined, { hard, used: hard });
    const answers: boolean[] = [];
    for (let round = 0; round < 3; round += 1) {
      answers.push(await counts());
      pass(2_000);
    }
    expect(answers).toEqual([false, false, true]);
    expect(deeds).toEqual(['apply', 'remove', 'apply', 'apply']);
  });

  it.each<[number, 'is taken for yes' | 'throws']>([
    [403, 'is taken for yes'],
    [422, 'is taken for yes'],
    [503, 'throws'],
  ])('that is answered %d %s', async (status, expected) => {
    const error = new KubernetesError({ status, reason: 'No', message: 'no', retryAfterMs: null });
    const cluster = { apply: () => Promise.reject(error) } as unknown as Cluster;
    const answer = createQuotaCountingCheck({ cluster, namespace: 'projectdomain-system', elapsed: () => 0 })();
    await (expected === 'throws' ? expect(answer).rejects.toThrow('no') : expect(answer).resolves.toBe(true));
  });

  it('is asked no more once it was yes', async () => {
    const { counts, deeds, pass } = counting({ hard, used: hard });
    expect(await counts()).toBe(true);
    pass(60_000);
    expect(await counts()).toBe(true);
    expect(deeds).toEqual(['apply']);
  });
});
