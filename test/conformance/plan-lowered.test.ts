import { expect, it } from '@jest/globals';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/**
 * An account that moves to a plan without custom domains keeps what is served for seven days, and gets nothing new. Fails where a visitor notices the plan of a
 * customer, or a new hostname is served against it.
 */

const fixture = useConformance(import.meta.filename);

it(
  'is served on, as Degraded, and nothing is added',
  async () => {
    const { stage, account } = fixture();
    const plan = (name: string) =>
      stage.kubectl.run(['patch', 'account', account, '--type=merge', '-p', JSON.stringify({ spec: { plan: name } })]);
    const visits = fixture().visit(fixture().hostnames, ({ status }) => status === 200);
    await plan('free');
    for (const name of ['www', 'other'])
      await stage.domainWhere(account, name, 'is Degraded', inState('Degraded', 'PlanUpgradeRequired'));
    await stage.kubectl.apply({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'late', namespace: account },
      spec: {
        project: 'shop',
        hostname: inZone('late.plan-lowered'),
        role: 'Redirect',
        redirect: { to: inZone('www.plan-lowered') },
      },
    });
    await stage.domainWhere(account, 'late', 'waits for a plan', inState('Pending', 'PlanUpgradeRequired'));
    await expect(fixture().ask(inZone('late.plan-lowered'))).rejects.toThrow();
    await plan('business');
    for (const hostname of fixture().hostnames) await fixture().isLive(hostname);
    await fixture().remove('projectdomain', 'late');
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
