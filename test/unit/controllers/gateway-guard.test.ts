import { describe, expect, it } from '@jest/globals';
import { createGatewayGuard } from '../../../src/controllers/gateway-guard.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { findCondition, no, yes } from '../../../src/rules/conditions.ts';
import { certificateIn, heldBy, route, settings, snapshot, verdict } from '../../support/snapshot.ts';

/** While others can attach hostnames to the Gateway, no new one is served, and none is taken away. */

const open = no('GatewayOpen', 'others can attach');
const guarded = yes('GatewayGuarded', 'nobody else can');
const held = { ...heldBy, verdict: verdict() };

describe('a hostname that is held', () => {
  it.each<[string, Parameters<typeof snapshot>[0], writes: boolean]>([
    ['is served by a Gateway that is guarded', { gatewayGuard: guarded, certificate: certificateIn(true) }, true],
    ['is not served by one that others can attach to', { gatewayGuard: open, certificate: certificateIn(true) }, false],
    ['is not ordered a certificate for by then either', { gatewayGuard: open }, false],
    [
      'stays served by one that was guarded when it was new',
      { gatewayGuard: open, certificate: certificateIn(true), route },
      true,
    ],
    ['has nothing to do with it where an ingress controller serves', { gatewayGuard: null }, true],
  ])('%s', (_, changes, writes) => {
    const actions = decideProjectDomain(snapshot({ ...held, ...changes }));
    const children = actions.writes.filter(({ kind }) => ['Ingress', 'Certificate'].includes(kind.kind));
    expect(children.some(({ verb }) => verb === 'apply')).toBe(writes);
    expect(children.some(({ verb }) => verb === 'remove')).toBe(false);
  });

  it('says what it waits for, and is looked at again within a minute', () => {
    const seen = snapshot({ ...held, gatewayGuard: open });
    const { writes, requeueAt } = decideProjectDomain(seen);
    const { status } = (
      writes.at(-1) as unknown as { object: { status: { conditions: Parameters<typeof findCondition>[0] } } }
    ).object;
    expect(findCondition(status.conditions, 'Routed')).toMatchObject({
      status: 'Unknown',
      message: expect.stringMatching(/Gateway/),
    });
    expect((requeueAt ?? Infinity) - seen.now).toBeLessThanOrEqual(60_000);
  });
});

describe('the look at the Gateway', () => {
  const customers = { namespace: 'edge', name: 'customers' };

  function guard(answers: readonly (() => Promise<unknown>)[], gateways = [customers]) {
    let now = 0;
    let asked = 0;
    const get = () => ((asked += 1), (answers[asked - 1] ?? (() => Promise.resolve(undefined)))());
    const look = createGatewayGuard({ get } as unknown as Cluster, { ...settings, gateways }, () => now);
    return { look, asked: () => asked, wait: (ms: number) => (now += ms) };
  }

  it('is shared for ten seconds by all hostnames', async () => {
    const { look, asked, wait } = guard([]);
    await Promise.all([look(), look()]);
    wait(9_999);
    expect((await look())?.reason).toBe('GatewayNotFound');
    expect(asked()).toBe(1);
    wait(1);
    await look();
    expect(asked()).toBe(2);
  });

  it('is taken again at once where it failed', async () => {
    const { look, asked } = guard([() => Promise.reject(new Error('away'))]);
    await expect(look()).rejects.toThrow('away');
    expect((await look())?.reason).toBe('GatewayNotFound');
    expect(asked()).toBe(2);
  });

  it('is at each of them, and tells of one that is wrong', async () => {
    const accounts = [{ key: 'projectdomain.io/account', operator: 'Exists' }];
    const allowedListeners = { namespaces: { from: 'Selector', selector: { matchExpressions: accounts } } };
    const guarded = () => Promise.resolve({ spec: { allowedListeners, listeners: [] } });
    const second = { namespace: 'edge', name: 'second' };
    const [both, one] = [guard([guarded, guarded], [customers, second]), guard([guarded], [customers, second])];
    expect((await both.look())?.reason).toBe('GatewayGuarded');
    expect(await one.look()).toMatchObject({
      reason: 'GatewayNotFound',
      message: expect.stringMatching('edge/second'),
    });
  });
});
