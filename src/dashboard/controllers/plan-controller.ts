import { showAccount, showUsage } from '../../use-cases/account-and-usage.ts';
import { helpMain } from '../views/help-view.ts';
import type { DashboardPage } from '../dashboard-page.ts';
import { layoutModelOf } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { planMain } from '../views/plan-view.ts';

export const planPage: DashboardPage = {
  method: 'get',
  path: '/plan',
  name: 'dashboardPlan',
  free: true,
  async handle(request) {
    const model = { account: await showAccount(request), ...(await showUsage(request)) };
    return { html: layout(layoutModelOf(request, { title: 'Plan and usage', section: 'plan' }), planMain(model)) };
  },
};

export const helpPage: DashboardPage = {
  method: 'get',
  path: '/help',
  name: 'dashboardHelp',
  handle: (request) =>
    Promise.resolve({ html: layout(layoutModelOf(request, { title: 'Help', section: 'help' }), helpMain()) }),
};
