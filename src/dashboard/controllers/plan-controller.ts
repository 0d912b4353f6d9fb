import { showAccount, showUsage, listPlanOffers } from '../../use-cases/account-and-usage.ts';
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
    const model = {
      account: await showAccount(request),
      ...(await showUsage(request)),
      plans: await listPlanOffers(request),
    };
    const title = request.view.words.text('plan.title');
    return {
      html: layout(request.view, layoutModelOf(request, { title, section: 'plan' }), planMain(request.view, model)),
    };
  },
};

export const helpPage: DashboardPage = {
  method: 'get',
  path: '/help',
  name: 'dashboardHelp',
  handle: (request) =>
    Promise.resolve({
      html: layout(
        request.view,
        layoutModelOf(request, { title: request.view.words.text('help.title'), section: 'help' }),
        helpMain(request.view),
      ),
    }),
};
