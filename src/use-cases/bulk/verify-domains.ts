import type { DomainPath } from '../find-in-account.ts';
import { domainOf } from '../find-in-account.ts';
import { useCase } from '../use-case.ts';
import { askForCheck, rejectWhilePending } from '../verify-domain.ts';
import type { BulkDone } from './bulk-domain-view.ts';
import { bulkDomainView, siblingsIfAsked } from './bulk-domain-view.ts';
import { createProjectRosters } from './project-rosters.ts';
import type { ItemOutcome, ManyItems } from './run-items.ts';
import { runItems } from './run-items.ts';

export type DomainOutcomes = readonly ItemOutcome<DomainPath, BulkDone>[];

/** Asks for a check of each of many domains, and waits for none. */
export const verifyDomains = useCase<ManyItems<DomainPath>, DomainOutcomes>('domains:write', (context, items) => {
  const rosters = createProjectRosters(context);
  return runItems<DomainPath, BulkDone>(context, items, (item) => {
    const domain = domainOf(context, item);
    rejectWhilePending(context, domain, siblingsIfAsked(domain, rosters));
    const outcome: BulkDone = { kind: 'asked', domain: bulkDomainView(context, domain, rosters) };
    const write = async () => {
      await askForCheck(context, domain);
      return outcome;
    };
    return { outcome, write };
  });
});
