import { quotaOf } from '../../use-cases/quota-admission.ts';
import { apiCall } from '../api-call.ts';
import { account, usage } from '../schemas.ts';
import { accountView } from '../../use-cases/resource-views.ts';

export const showAccount = apiCall({
  method: 'get',
  path: '/v1/account',
  name: 'showAccount',
  summary: 'The account of the key, its plan and its limits',
  scope: null,
  successes: { 200: { description: 'The account.', schema: account } },
  problems: [],
  handle: ({ caller }) => Promise.resolve({ status: 200, body: accountView(caller.account, caller.limits) }),
});

export const showUsage = apiCall({
  method: 'get',
  path: '/v1/account/usage',
  name: 'showUsage',
  summary: 'What is spent of both windows, and the ban of the key; spends nothing and answers while limited or banned',
  scope: null,
  free: true,
  successes: { 200: { description: 'The usage.', schema: usage } },
  problems: [],
  async handle({ dependencies, caller }) {
    const { minute, day, ban } = await quotaOf(dependencies, caller, 0);
    const window = (view: typeof minute) => ({
      limit: view.limit,
      used: view.limit - view.remaining,
      remaining: view.remaining,
      resetAt: view.resetAt,
    });
    const why = 'requests went on although they were refused with 429 and Retry-After';
    return {
      status: 200,
      body: {
        minute: window(minute),
        day: window(day ?? minute),
        ban: ban && { until: ban.until, reason: why },
      },
    };
  },
});
