import { showUsage } from '../../handlers/account.ts';
import { helpMain } from '../pages/help.ts';
import type { PlanModel } from '../models.ts';
import type { Page } from '../page.ts';
import { call, frameOf } from '../page.ts';
import { page } from '../pages/frame.ts';
import { planMain } from '../pages/plan.ts';

export const planPage: Page = {
  method: 'get',
  path: '/plan',
  name: 'dashboardPlan',
  free: true,
  async handle(request) {
    const { body } = await call(showUsage, request);
    const frame = frameOf(request, { title: 'Plan and usage', section: 'plan' });
    const { account } = frame;
    if (account === null) throw new Error('a page of a visitor without an account');
    return { html: page(frame, planMain({ account, ...(body as Omit<PlanModel, 'account'>) })) };
  },
};

export const helpPage: Page = {
  method: 'get',
  path: '/help',
  name: 'dashboardHelp',
  handle: (request) =>
    Promise.resolve({ html: page(frameOf(request, { title: 'Help', section: 'help' }), helpMain()) }),
};
