import { showUsage } from '../../handlers/account.ts';
import { helpMain } from '../pages/help.ts';
import type { PlanModel } from '../models.ts';
import type { DashboardPage } from '../page.ts';
import { call, layoutModelOf } from '../page.ts';
import { layout } from '../pages/frame.ts';
import { planMain } from '../pages/plan.ts';

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
