import { showUsage } from '../../server/calls/account-calls.ts';
import { helpMain } from '../views/help-view.ts';
import type { PlanModel } from '../view-models.ts';
import type { DashboardPage } from '../dashboard-page.ts';
import { call, layoutModelOf } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { planMain } from '../views/plan-view.ts';

export const planPage: DashboardPage = {
  method: 'get',
  path: '/plan',
  name: 'dashboardPlan',
  free: true,
  async handle(request) {
    const { body } = await call(showUsage, request);
    const frame = layoutModelOf(request, { title: 'Plan and usage', section: 'plan' });
    const { account } = frame;
    if (account === null) throw new Error('a page of a visitor without an account');
    return { html: layout(frame, planMain({ account, ...(body as Omit<PlanModel, 'account'>) })) };
  },
};

export const helpPage: DashboardPage = {
  method: 'get',
  path: '/help',
  name: 'dashboardHelp',
  handle: (request) =>
    Promise.resolve({ html: layout(layoutModelOf(request, { title: 'Help', section: 'help' }), helpMain()) }),
};
