import type { EventRecord } from '../../kubernetes/kubernetes-port.ts';
import type { EventReason } from '../../rules/reasons.ts';
import { isInformational } from '../../rules/codes/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import type { DnsIssue } from '../../dns/verdict/dns-verdict.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import type { IssueCode } from '../../rules/issue-params.ts';
import { issueParams, issueSentence } from '../../rules/issue-params.ts';
import { HostnameClaimKind, SecretKind } from '../../resources/kinds.ts';
import type { DomainFindings, DomainState } from '../../rules/domain-state.ts';
import { withRefusals, actOfRefusal, refusalPlace } from '../refused-write.ts';

/** An issue of DNS or of the route, as it is found; a status keeps it clipped and with the time since when. */
export type FoundIssue = Omit<DnsIssue, 'code'> & { readonly code: IssueCode };

interface Told extends Pick<FoundIssue, 'code' | 'severity'> {
  readonly act: IssueAct;
  /** what the sentences name; those that the act brings are added */
  readonly place: Parameters<typeof issueParams>[0];
}

/** An issue that is about no record: its code says what is wrong, its act who does what. */
function issueOfAct({ code, severity, act, place }: Told): FoundIssue {
  const { actor, params: ofAct } = issueActs[act];
  const params = issueParams(place, { code, ofAct });
  return {
    code,
    severity,
    act,
    actor,
    params,
    delete: [],
    create: [],
    servers: [],
    message: issueSentence(code, params),
    record: '',
    fix: actSentence(act, { params, delete: [], create: [] }),
  };
}

/** What the edge says of the domain's route; nothing of a route that is not there, or that is being taken away. */
export function routeFindingsOf({
  route,
  domain,
  settings,
  claimRelation,
  edgeControllers = {},
  fullEdges = [],
  edgeSilentSince,
  now,
}: ProjectDomainSnapshot): RouteFindings {
  if (!route || claimRelation.kind !== 'Held') return noRouteFindings;
  const { hostname } = domain.spec;
  const look = { hostname, now, controllers: edgeControllers, fullEdges, silentSince: edgeSilentSince };
  return settings.routes.findingsOf(route.objects, look);
}

/** The same as issues of its status, and that somebody else's Ingress has the hostname. */
export const routeIssues = (snapshot: EvaluatedProjectDomain): readonly FoundIssue[] =>
  [...snapshot.ofEdge.findings, ...elsewhere(snapshot)].map(({ code, act, params: place }) =>
    issueOfAct({ code, severity: isInformational(code) ? 'Warning' : 'Error', act, place }),
  );

/** Names one of the account's own namespace alone: who else has what in the cluster is for its administrators. */
function elsewhere({ otherIngresses = [], claimRelation, domain }: ProjectDomainSnapshot): readonly RouteFinding[] {
  if (otherIngresses.length === 0 || claimRelation.kind !== 'Held') return [];
  const { namespace = '' } = domain.metadata;
  const own = otherIngresses.find((one) => one.startsWith(`${namespace}/`));
  const params = { name: domain.spec.hostname, object: own === undefined ? '' : `Ingress ${own}` };
  return [{ code: 'IngressElsewhere', act: 'RemoveOtherIngress', params }];
}

/** A Warning for administrators, about the claim, which customers do not read: with the names, when it begins. */
export function elsewhereEvents(snapshot: ProjectDomainSnapshot): readonly EventRecord[] {
  const { claim, otherIngresses = [], domain } = snapshot;
  const isKnown = domain.status?.issues?.some(({ code }) => code === 'IngressElsewhere') ?? false;
  if (!claim || isKnown || elsewhere(snapshot).length === 0) return [];
  const reason: EventReason = 'IngressElsewhere';
  const message = `${domain.spec.hostname} is in Ingress ${otherIngresses.join(', ')} too: the ingress controller decides which of them visitors get`;
  return [{ about: claim, type: 'Warning', reason, message }];
}

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
  const severity = state === 'Live' ? 'Warning' : 'Error';
  return [...firsts.values()]
    .toReversed()
    .map((one) => issueOfAct({ code: one.code, severity, act: actOfRefusal(one), place: refusalPlace(one) }));
}
