import { HostnameClaimKind, SecretKind } from '../../resources/kinds.ts';
import type { DomainFindings, DomainState } from '../../rules/domain-state.ts';
import { withRefusals, actOfRefusal, refusalPlace } from '../refused-write.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { FoundIssue } from './found-issue.ts';
import { issueOfAct } from './found-issue.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

type Refusing = Pick<ProjectDomainSnapshot, 'domain' | 'refused'>;

/** Without them nothing is ordered; what else a domain writes is its route. */
const ofCertificate: ReadonlySet<string> = new Set([
  HostnameClaimKind.kind,
  SecretKind.kind,
  'Certificate',
  'CertificateRequest',
]);

/** The findings with what the cluster refused, each with the step that has to wait for it. */
export const withRefusedWrites = (findings: DomainFindings, { domain, refused = [] }: Refusing): DomainFindings =>
  withRefusals(findings, refused, {
    conditionOf: ({ kind }) => (ofCertificate.has(kind) ? 'CertificateIssued' : 'Routed'),
    before: domain.status?.conditions,
  });

/** The same as issues of the status: of each kind of refusal the first, and only a warning while the domain is served. */
export function refusalIssues({ refused = [] }: Pick<Refusing, 'refused'>, state: DomainState): readonly FoundIssue[] {
  const firsts = new Map(refused.toReversed().map((one) => [one.code, one] as const));
  return [...firsts.values()].toReversed().map((one) => issueOf(one, state));
}

const issueOf = (refused: RefusedWrite, state: DomainState): FoundIssue =>
  issueOfAct({
    code: refused.code,
    severity: state === 'Live' ? 'Warning' : 'Error',
    act: actOfRefusal(refused),
    place: refusalPlace(refused),
  });
