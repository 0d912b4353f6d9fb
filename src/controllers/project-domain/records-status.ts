import type { RecordFinding } from '../../dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';
import { findCondition } from '../../rules/conditions.ts';
import type { DesiredRecord } from '../../rules/desired-records.ts';
import { needsTxt, desiredRecords, earlierFinding, sharesProof } from '../../rules/desired-records.ts';
import { parseHostname } from '../../rules/hostname.ts';
import type { CheckStatus } from './check-status.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

type RecordStatusFields = NonNullable<NonNullable<ProjectDomain['status']>['records']>[number];

/** The records that the customer has to create, each with what was found of it. */
export function recordsStatus(
  { target, ownership, delegation, domain, settings, claimRelation, verdict }: ProjectDomainSnapshot,
  { zone, routedBy }: CheckStatus,
): readonly RecordStatusFields[] {
  const { hostname } = domain.spec;
  if (target === null || !parseHostname(hostname).ok) return [];
  const contested = claimRelation.kind === 'Foreign';
  const code = verdict?.routing.code ?? findCondition(domain.status?.conditions, 'DNSVerified')?.reason;
  const byShared = sharesProof(routedBy, code);
  const needed = needsTxt({ hostname, zone, required: settings.requireTxt, contested, byShared });
  const desired = desiredRecords({
    hostname,
    zone,
    target,
    txt: needed ? ownership : null,
    delegation: aheadOfSwitch(delegation, verdict),
  });
  const before = domain.status?.records ?? [];
  return desired.map((record) => ({
    ...record,
    ...(found(record, verdict?.records) ?? earlierFinding(record, before)),
  }));
}

/** A delegation has done its part once the hostname leads here. */
function aheadOfSwitch(
  delegation: ProjectDomainSnapshot['delegation'],
  verdict: ProjectDomainSnapshot['verdict'],
): ProjectDomainSnapshot['delegation'] {
  const isSwitched = verdict?.routing.verdict === 'yes' && verdict.routing.by !== 'delegation';
  return isSwitched ? null : delegation;
}

/** What this check found; undefined where it did not look, as a confirmation does not look at the ownership record. */
export function found({ purpose }: Pick<DesiredRecord, 'purpose'>, findings: readonly RecordFinding[] = []) {
  const finding = findings.find((one) => one.purpose === purpose);
  if (!finding) return undefined;
  const texts = finding.found.slice(0, schemaBounds.foundRecords);
  return { status: finding.status, found: texts.map((text) => clip(text, schemaBounds.recordValue)) };
}
