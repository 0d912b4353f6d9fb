import { expect, it } from '@jest/globals';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { LedgerOrder } from '../../../src/rules/order-ledger/window-usage.ts';
import { windowUsage } from '../../../src/rules/order-ledger/window-usage.ts';
import { createOrderWindow } from '../../simulate/order-window.ts';
import { createHostnames } from '../../simulate/simulated-hostnames.ts';
import { orderLimits } from '../../support/snapshot.ts';

const { chance } = createHostnames(1);
const kinds = ['First', 'Renewal', 'Platform'] as const;

it('the usage counted order by order is what the ledger counts over its whole window: would fail if the simulation had rules of its own', () => {
  const window = createOrderWindow(orderLimits);
  const orders: LedgerOrder[] = [];
  let now = Date.parse('2026-01-01T00:00:00Z');
  for (let step = 0; step < 2_000; step += 1) {
    now += Math.floor(chance(step, 1) * 90) * 1_000;
    const kind = kinds[Math.floor(chance(step, 2) * 3)] ?? 'First';
    const account = `a${Math.floor(chance(step, 3) * 5)}`;
    const domain = `d${Math.floor(chance(step, 4) * 7)}.example`;
    const state = chance(step, 5) < 0.3 ? 'Failed' : 'Issued';
    window.add({ at: now, kind, account, domain, outcome: state });
    orders.push({ request: `r${step}`, at: timestamp(now), account, hostname: 'a.example', domain, kind, state });
    if (step % 50 === 0) expect(window.usageAt(now)).toEqual(windowUsage(orders, orderLimits, now));
  }
});
