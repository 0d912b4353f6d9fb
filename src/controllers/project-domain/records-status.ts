import type { RecordFinding } from '../../dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';
import type { DesiredRecord } from '../../rules/desired-records.ts';
import { needsTxt, desiredRecords, earlierFinding, sharesProof } from '../../rules/desired-records.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { parseHostnameOrWildcard } from '../../rules/wildcard-hostname.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

type RecordStatusFields = NonNullable<NonNullable<ProjectDomain['status']>['records']>[number];

/** The records that the customer has to create, each with what was found of it. */
export function recordsStatus(snapshot: EvaluatedProjectDomain): readonly RecordStatusFields[] {
  const { target, ownership, delegation, domain, settings, claimRelation, verdict } = snapshot;
  const { zone, routedBy } = snapshot.checks;
  const { hostname } = domain.spec;
  if (target === null || !parseHostnameOrWildcard(hostname).ok) return [];
  const contested = claimRelation.kind === 'Foreign';
  const byShared = sharesProof({ routedBy, ...lastFound(snapshot) });
  const byTarget = routedBy === 'target';
  const needed = needsTxt({ hostname, zone, required: settings.requireTxt, contested, byShared, byTarget });
  const desired = desiredRecords({
    hostname,
    zone,
    target,
    txt: needed ? ownership : null,
    delegation: shownDelegation({ delegation, verdict, domain }),
  });
  const before = domain.status?.records ?? [];
  return desired.map((record) => ({
    ...record,
    ...(found(record, verdict?.records) ?? earlierFinding(record, before)),
  }));
}

/** What the last full check found. */
const lastFound = ({ verdict, before, domain }: ProjectDomainSnapshot) => ({
  code: verdict?.routing.code ?? before.DNSVerified?.reason,
  issues: (verdict?.isConfirmation ? undefined : verdict?.issues) ?? domain.status?.issues ?? [],
});

/** A delegation has done its part once the hostname leads here, but for a wildcard, which is ordered by it alone. */
function shownDelegation({
  delegation,
  verdict,
  domain,
}: Pick<ProjectDomainSnapshot, 'delegation' | 'verdict' | 'domain'>): ProjectDomainSnapshot['delegation'] {
  const isAlwaysNeeded = isWildcard(domain.spec.hostname);
  const isSwitched = verdict?.routing.verdict === 'yes' && verdict.routing.by !== 'delegation';
  return isSwitched && !isAlwaysNeeded ? null : delegation;
}

/** What this check found; undefined where it did not look, as a confirmation does not look at the ownership record. */
export function found({ purpose }: Pick<DesiredRecord, 'purpose'>, findings: readonly RecordFinding[] = []) {
  const finding = findings.find((one) => one.purpose === purpose);
  if (!finding) return undefined;
  const texts = finding.found.slice(0, schemaBounds.foundRecords);
  return { status: finding.status, found: texts.map((text) => clip(text, schemaBounds.recordValue)) };
}
