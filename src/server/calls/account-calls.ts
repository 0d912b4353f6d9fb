import { showAccount, showUsage } from '../../use-cases/account-and-usage.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { account, usage } from '../account-schemas.ts';

const showAccountCall = apiCall({
  method: 'get',
  path: '/v1/account',
  name: 'showAccount',
  summary: 'The account of the key, its plan and its limits',
  scope: showAccount.scope,
  successes: { 200: { description: 'The account.', schema: account } },
  problems: [],
  handle: async (request) => ({ status: 200, body: await showAccount(request) }),
});

const showUsageCall = apiCall({
  method: 'get',
  path: '/v1/account/usage',
  name: 'showUsage',
  summary:
    'Usage in both quota windows, and the ban of the key; spends no quota and works even while limited or banned',
  scope: showUsage.scope,
  free: true,
  successes: { 200: { description: 'The usage.', schema: usage } },
  problems: [],
  handle: async (request) => ({ status: 200, body: await showUsage(request) }),
});

/** The account of the key, and its usage. */
export const accountCalls: readonly ApiCall[] = [showAccountCall, showUsageCall];
