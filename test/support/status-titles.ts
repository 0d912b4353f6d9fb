import type { CustomerStatus } from '../../src/rules/next-step.ts';
import { customerStatuses, customerStatusOf } from '../../src/rules/next-step.ts';
import { domainStateNames } from '../../src/rules/domain-state.ts';
import { hostnameReasons, acceptedReasons } from '../../src/rules/codes/accepted-reasons.ts';
import { certificateReasons } from '../../src/rules/codes/certificate-reasons.ts';
import { routedReasons } from '../../src/rules/codes/routed-reasons.ts';
import { verifiedReasons } from '../../src/rules/codes/verified-reasons.ts';
import { issueCodes } from '../../src/rules/issue-params.ts';
import { presentation } from './view-context.ts';

const { words } = presentation;

/** What each status of a domain is called. */
export const statusNames = Object.fromEntries(
  customerStatuses.map((status) => [status, words.text(`status.${status}`)]),
) as Readonly<Record<CustomerStatus, string>>;

const waiting: readonly CustomerStatus[] = ['NeedsAction', 'InProgress'];

/** Issues decide too: they put a served domain at risk, and end or begin a customer's turn. */
const alsoBy = (state: string, own: CustomerStatus): readonly CustomerStatus[] =>
  state === 'Live' ? ['AtRisk'] : waiting.includes(own) ? waiting : [];

/** The names of the statuses that a domain with this title of a reason can have. */
const namesByTitle: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const tables = [acceptedReasons, hostnameReasons, verifiedReasons, certificateReasons, routedReasons, issueCodes];
  const found = new Map<string, Set<string>>();
  for (const state of domainStateNames)
    for (const reason of (state === 'Live' ? [routedReasons] : tables).flatMap((table) => Object.keys(table))) {
      const own = customerStatusOf({ state, reason, issues: [], waits: null }, { nextCheckAt: null, refusal: null });
      const { title } = words.help(state, reason);
      const names = [own, ...alsoBy(state, own)].map((status) => statusNames[status]);
      found.set(title, new Set([...(found.get(title) ?? []), ...names]));
    }
  return found;
})();

/** Whether a domain whose state has this title can have the status of this name. */
export const fitsStatus = (title: string, name: string): boolean => namesByTitle.get(title)?.has(name) ?? false;
