import { describe, expect, it } from '@jest/globals';
import { domainStateNames as states } from '../../src/rules/domain-state.ts';
import { longHostname } from '../support/domain-cases.ts';
import { everyReason, faultsOf, useDomainPages } from '../support/domain-contract.ts';

/** The contract of a domain's page (domain-contract.test.ts) with hostnames as long as they may be, in both browsers. */

useDomainPages();

const hostname = longHostname(253);

describe('one action', () => {
  it.each(states)(
    '%s with every reason, of a hostname of 253 characters',
    async (state) => {
      const found: string[] = [];
      for (const reason of everyReason) found.push(...(await faultsOf({ hostname, state, reason })));
      expect(found).toEqual([]);
    },
    300_000,
  );
});
