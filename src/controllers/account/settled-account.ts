import { clip, schemaBounds } from '../../resources/object-limits.ts';
import { driftTimes, hours } from '../../rules/check-schedule.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import { shareOf } from '../../rules/next-dns-check.ts';
import type { AccountSnapshot } from './account-snapshot.ts';
import { accountFindings } from './decide-account.ts';

/** What is known of an account without asking the kube-apiserver. */
export type GatheredAccount = Omit<AccountSnapshot, 'missingRights' | 'quota' | 'areQuotasCounted'> & {
  /** when the account's namespace was created, milliseconds since the Unix epoch; null without a namespace */
  readonly namespaceCreatedAt: number | null;
};

/** How often the rights and the quota of an account are read, each account at a moment of its own. */
const readEvery = hours;

/**
 * Until when the rights and the quota of an account need not be read, milliseconds since the Unix epoch; null when they must be
 * read now. A process that begins to lead believes the status of an account where it says of this plan, these caps and
 * this namespace that all is well, until the account's own moment of the hour: what others changed in between is found as
 * soon as if this process had led all the time.
 */
export function settledUntil(gathered: GatheredAccount, leadingSince: number): number | null {
  const { account, now } = gathered;
  const { last, next } = driftTimes(shareOf(account.metadata.uid), now, readEvery);
  return last > leadingSince || !isSettled(gathered) ? null : next;
}

/** True when the status is the one that would be written if rights and quota were as they should. */
function isSettled(gathered: GatheredAccount): boolean {
  const { account, namespaceCreatedAt } = gathered;
  const { conditions } = account.status ?? {};
  if (!account.spec.id || namespaceCreatedAt === null) return false;
  const readySince = Date.parse(findCondition(conditions, 'NamespaceReady')?.lastTransitionTime ?? '');
  if (!(readySince >= namespaceCreatedAt)) return false;
  const { generation = 0 } = account.metadata;
  return Object.entries(accountFindings({ ...gathered, missingRights: [] }, true)).every(([type, finding]) => {
    const written = findCondition(conditions, type);
    return (
      isTrue(finding) &&
      written?.status === 'True' &&
      written.observedGeneration === generation &&
      written.message === clip(finding.message, schemaBounds.message)
    );
  });
}
