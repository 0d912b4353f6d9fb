import { describe, expect, it } from '@jest/globals';
import { domainStateNames as states } from '../../src/rules/domain-state.ts';
import { issueActs } from '../../src/rules/issue-acts.ts';
import { caseIssue } from '../support/domain-cases.ts';
import { everyReason, faultsOf, hostnames, short as hostname, useDomainPages } from '../support/domain-contract.ts';

/**
 * The contract of a domain's page, in both browsers, for every state with every reason (hostnames of 253
 * characters: long-hostname-contract.test.ts): whoever sees it knows what to do next, or who acts. That the action ends the state is what robot.test.ts proves.
 */

useDomainPages();

describe('one action', () => {
  it.each(states)(
    '%s with every reason, of a short hostname',
    async (state) => {
      const found: string[] = [];
      for (const reason of everyReason) found.push(...(await faultsOf({ hostname, state, reason })));
      expect(found).toEqual([]);
    },
    300_000,
  );

  it('for everything that can have to be done about an issue', async () => {
    const found: string[] = [];
    for (const [act, { actor }] of Object.entries(issueActs))
      for (const state of ['Unverified', 'Degraded'] as const) {
        const changes = act === 'ChangeRecords' ? {} : { delete: [], create: [] };
        const issues = [caseIssue({ act, actor, ...changes })];
        found.push(...(await faultsOf({ state, reason: 'StrayAddress', issues })));
      }
    expect(found).toEqual([]);
  }, 300_000);

  it('for short and long hostnames, right after an action', async () => {
    const found: string[] = [];
    for (const each of hostnames)
      for (const state of ['Unverified', 'Live', 'Degraded'] as const)
        for (const done of ['added', 'there', 'verify']) {
          const one = { hostname: each, state, reason: 'StrayAddress', issues: [caseIssue()] };
          found.push(...(await faultsOf(one, { query: `?done=${done}` })));
        }
    expect(found).toEqual([]);
  }, 300_000);
});
