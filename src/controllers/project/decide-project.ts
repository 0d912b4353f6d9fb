import type { EventRecord } from '../../kubernetes/kubernetes-port.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import { statusAction, earliest } from '../../controller-runtime/actions.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import { HostnameClaimKind, ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import { schemaBounds } from '../../resources/object-limits.ts';
import { canOwn, ownerReference } from '../../resources/object-metadata.ts';
import { showsOwn } from '../../routing/https-probe.ts';
import { applyRoute } from '../../routing/route-writes.ts';
import { suspendedBecause } from '../../rules/claim-suspension.ts';
import { deployedReasons } from '../../rules/codes/project-reasons.ts';
import type { Finding } from '../../rules/conditions.ts';
import {
  findCondition,
  findingsOf,
  isTrue,
  no,
  observedConditions,
  timestamp,
  unknown,
  yes,
} from '../../rules/conditions.ts';
import { declaredDomains } from '../../rules/declared-domains.ts';
import { isLeaving } from '../../rules/leaving.ts';
import { isPlatformHolder } from '../../rules/platform-hostname.ts';
import { subdomainRefusal } from '../../rules/project-address.ts';
import type {
  DeployedReason,
  EventReason,
  ProjectAcceptedReason,
  ProjectReason,
  RoutedReason,
} from '../../rules/reasons.ts';
import { isReservedSubdomain } from '../../rules/subdomain.ts';
import { heldBackForMs, isNewBehindOpenGateway, whyHeldBack } from '../held-back.ts';
import { hasLostSecret } from '../tls-secrets.ts';
import { withRefusals } from '../refused-write.ts';
import type { RefusedWrite } from '../refused-write.ts';
import { removeChildren } from '../remove-children.ts';
import { classComplaint, classStatus } from './class-status.ts';
import { decideDeclaredDomains } from './declared-domains-step.ts';
import type { PlatformCertificate } from './platform-certificate.ts';
import { decidePlatformCertificate } from './platform-certificate.ts';
import { isForeignShown, isToldForeign, platformRouteFindings, withFindings } from './platform-look.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

const probeAgain = 1_000;
/** How often a platform hostname is looked at that shows a certificate which is not its own. */
const lookAgain = 60_000;
/** How soon after a look at a certificate that is not its own, before that is told. */
const confirmAfter = 2_000;
/** How often a full account is tried again: no event says that another of its projects gave up domains. */
const retryFullAccount = 60_000;

/**
 * Decides a Project: claims, routes and certifies its platform hostname, and records its first deployment. Where what it stands on is being deleted, it is
 * served no more, and nothing is made. Pure.
 */
export function decideProject(snapshot: ProjectSnapshot): Actions {
  const { leaving = null } = snapshot;
  const Accepted = accept(snapshot);
  const Deployed = deployed(snapshot);
  const withdrawn = whyWithdrawn(snapshot);
  const isServed = mayBeServed(snapshot, Accepted) && isTrue(Deployed) && withdrawn === null;
  const isHeldBack = isServed && isNewBehindOpenGateway(snapshot, everyClass(snapshot));
  const ofRoute = platformRouteFindings(snapshot);
  const routing = () => withFindings(routeFinding(snapshot, Accepted), ofRoute);
  const route = unservedFinding({ withdrawn, isHeldBack }) ?? routing();
  const declared = decideDeclaredDomains(snapshot);
  const steps = withRefusedWrites({ Routed: route, DomainsDeclared: declared.finding }, snapshot);
  const Ready = ready([Accepted, Deployed, steps.Routed]);
  const findings = { Accepted, Deployed, ...steps, Ready };
  const served = isServed ? serve(snapshot, { isHeldBack }) : nothingServed;
  const ofHostname = withdrawn === null ? served.writes : withdrawPlatform(snapshot);
  const ofEntries = leaving === null ? declared.writes : [];
  return {
    writes: [...writesOfOwner(snapshot), ...ofHostname, ...ofEntries, status(snapshot, findings, served.status)],
    events: eventsOf(snapshot, steps.Routed),
    requeueAt: earliest(
      requeueAt(snapshot),
      served.waitsUntil,
      ofRoute.dueAt,
      isHeldBack ? snapshot.now + heldBackForMs : null,
    ),
  };
}

const unservedFinding = ({
  withdrawn,
  isHeldBack,
}: {
  readonly withdrawn: string | null;
  readonly isHeldBack: boolean;
}): Finding<RoutedReason> | null => {
  if (withdrawn !== null) return no('Withdrawn', withdrawn);
  return isHeldBack ? unknown('HeldBack', whyHeldBack) : null;
};

/** What it asks for by name and does not get ends nothing of what it has. */
const mayBeServed = (snapshot: ProjectSnapshot, accepted: Finding): boolean =>
  isTrue(accepted) || (isServedElsewhere(snapshot) && snapshot.account?.spec.id !== undefined);

/** What the cluster refused, with the step that has to wait for it. */
const withRefusedWrites = (
  { Routed, DomainsDeclared }: Readonly<Record<'Routed' | 'DomainsDeclared', Finding<ProjectReason>>>,
  { project, refused = [] }: ProjectSnapshot,
): Readonly<Record<'Routed' | 'DomainsDeclared', Finding<ProjectReason>>> => {
  const isOfEntry = ({ kind }: RefusedWrite) => kind === ProjectDomainKind.kind;
  // What was decided holds only once it is written.
  const isRefuted = isTrue(DomainsDeclared) && refused.some(isOfEntry);
  const declared = isRefuted ? unknown('WriteRefused' as const, '') : DomainsDeclared;
  return withRefusals({ Routed, DomainsDeclared: declared }, refused, {
    conditionOf: (one) => (isOfEntry(one) ? 'DomainsDeclared' : 'Routed'),
    before: conditionsOf(project),
  });
};

/** Why the platform hostname must not be served any more; null where nothing speaks against it. */
export const whyWithdrawn = (snapshot: ProjectSnapshot): string | null => snapshot.leaving ?? suspension(snapshot);

function requeueAt(snapshot: ProjectSnapshot): number | null {
  const full = snapshot.isAccountFull ? snapshot.now + retryFullAccount : null;
  return earliest(full, whyWithdrawn(snapshot) === null ? probeAt(snapshot) : null);
}

/** When the edge is asked next; null where nothing of it is to be asked. */
function probeAt(snapshot: ProjectSnapshot): number | null {
  const { now, route, nextLookAt = null, foreignSince = null } = snapshot;
  if (isForeignShown(snapshot)) return now + lookAgain;
  if (isPlatformProbeDue(snapshot) && !snapshot.probe?.ok) return now + probeAgain;
  if (foreignSince !== null && route?.backend !== undefined) return now + confirmAfter;
  return route ? nextLookAt : null;
}

/** A Warning when visitors begin to see another's certificate. */
function eventsOf(snapshot: ProjectSnapshot, { reason, message }: Finding): readonly EventRecord[] {
  const begins = reason === ('ForeignCertificate' satisfies EventReason) && !isToldForeign(snapshot);
  return begins ? [{ about: snapshot.project, type: 'Warning', reason, message }] : [];
}

function accept(snapshot: ProjectSnapshot): Finding<ProjectAcceptedReason> {
  const { project, account, claim, hostname, settings } = snapshot;
  const { subdomain } = project.spec;
  const wanted = subdomain ?? subdomainOf(snapshot);
  const refusal = subdomainRefusal(project, wanted, settings);
  // What is served stays served: rules may have become stricter since.
  const isKept = isPlatformHolder(claim, project) && wanted === subdomainOf(snapshot) && !isReservedSubdomain(wanted);
  if (refusal !== null && !isKept) return no(refusal.reason, `${refusal.message}; ${wayOut(snapshot)}`);
  if (!account?.spec.id) {
    return unknown('AccountNotFound', `namespace ${project.metadata.namespace} belongs to no Account that is ready`);
  }
  if (wanted !== subdomainOf(snapshot) || (claim && !holds(snapshot)))
    return no('SubdomainTaken', `${wanted}.${settings.platformDomain} belongs to another project; ${wayOut(snapshot)}`);
  return yes('Accepted', `${whereServed(snapshot)} ${hostname}${classComplaint(snapshot)}`);
}

/** The label of the platform hostname that was chosen. */
const subdomainOf = ({ hostname, settings: { platformDomain } }: Pick<ProjectSnapshot, 'hostname' | 'settings'>) =>
  hostname.slice(0, -platformDomain.length - 1);

/** It is told apart whether the address is the project's already. */
const whereServed = ({ claim, project }: ProjectSnapshot): string =>
  isPlatformHolder(claim, project) ? 'served at' : 'once it is deployed, it is served at';

function wayOut(snapshot: ProjectSnapshot): string {
  const { hostname } = snapshot;
  const rest = 'set another spec.subdomain, or none to be given one';
  return isServedElsewhere(snapshot) ? `the project goes on at ${hostname}: ${rest}` : rest;
}

/** The project asks for another subdomain by name, which it does not get, and keeps what it has. */
const isServedElsewhere = (snapshot: ProjectSnapshot): boolean => {
  const { project, claim } = snapshot;
  const { subdomain } = project.spec;
  return subdomain !== undefined && subdomain !== subdomainOf(snapshot) && isPlatformHolder(claim, project);
};

/** Why an administrator has the platform hostname withdrawn, while this project holds it; null otherwise. */
const suspension = ({ claim, project, hostname }: ProjectSnapshot): string | null =>
  isPlatformHolder(claim, project)
    ? suspendedBecause(hostname, { claim, claimAbove: undefined, suspendedBelow: 0 })
    : null;

/** A platform hostname is served by all of them. */
const everyClass = ({ settings: { routingClasses } }: ProjectSnapshot): readonly string[] => [
  ...routingClasses.common,
  ...routingClasses.chosen.keys(),
];

/** True when this project holds the claim, or when the claim is a tombstone of the same account, whose projects may reuse the name. */
function holds({ claim, project, account }: ProjectSnapshot): boolean {
  if (!claim || claim.spec.account !== account?.spec.id) return false;
  const { holder, phase } = claim.spec;
  const { namespace, name } = project.metadata;
  return phase === 'Tombstone' || (holder.namespace === namespace && holder.name === name);
}

function deployed({ project, serving }: ProjectSnapshot): Finding<DeployedReason> {
  if (serving || project.status?.deployedAt) return yes('Deployed', 'the service has had a ready endpoint');
  return findingsOf(deployedReasons).no('NotDeployed', { service: project.spec.service.name });
}

function routeFinding(snapshot: ProjectSnapshot, accepted: Finding): Finding<RoutedReason> {
  const { probe, route } = snapshot;
  if (!isTrue(accepted) && !route) return unknown('Waiting', 'waiting until the project is accepted');
  const ofRoute = route ? routeInPlace(snapshot) : null;
  if (ofRoute !== null) return ofRoute;
  if (probe?.ok) return yes('Routed', 'the platform hostname answers');
  const detail = probe && !probe.ok ? `: ${probe.detail}` : '';
  return unknown('NotAnswering', `the platform hostname does not answer yet${detail}`);
}

/** What is known of a route that is there, without it having to answer in this reconcile; null where it has to. */
function routeInPlace(snapshot: ProjectSnapshot): Finding<RoutedReason> | null {
  const { project, settings } = snapshot;
  if (isForeignShown(snapshot))
    return no('ForeignCertificate', 'the platform hostname answers with a certificate that is not its own');
  if (settings.platformTls === 'Default') return yes('Routed', 'the route is in place');
  const before = findCondition(conditionsOf(project), 'Routed');
  const isKept = isTrue(before) || (isToldForeign(snapshot) && showsOwn(snapshot.probe));
  return isKept ? yes('Routed', 'the platform hostname answers') : null;
}

const conditionsOf = (project: ProjectSnapshot['project']) => project.status?.conditions;

function ready(findings: readonly Finding<ProjectReason>[]): Finding<ProjectReason> {
  const blocking = findings.find((finding) => !isTrue(finding));
  return blocking ? no(blocking.reason, blocking.message) : yes('Ready', 'the project is served');
}

/** True when this reconcile must probe the route. Once it has answered, it is not probed again. Default TLS has no certificate to compare. */
export function isPlatformProbeDue({ project, certificate, route }: ProjectSnapshot): boolean {
  const issued = isTrue(findCondition(certificate?.status?.conditions, 'Ready'));
  return issued && route !== undefined && !isTrue(findCondition(conditionsOf(project), 'Routed'));
}

const nothingServed: PlatformCertificate = Object.freeze({ writes: [], status: {}, waitsUntil: null });

/** Only a deployed project is served, and only then is its hostname claimed, so that an unused name costs the platform nothing. */
function serve(snapshot: ProjectSnapshot, { isHeldBack }: { readonly isHeldBack: boolean }): PlatformCertificate {
  const { project, settings, hostname, claim } = snapshot;
  if (!claim || claim.spec.phase !== 'Held') return { ...nothingServed, writes: [holdClaim(snapshot)] };
  if (isHeldBack) return nothingServed;
  const { namespace = '' } = project.metadata;
  const hasCertificate = settings.platformTls === 'PerHost';
  const answersChallenges = hasCertificate && isOrderedHere(settings.issuer);
  const isSecretLost = hasLostSecret(snapshot.certificate);
  const common = { namespace, hostname, owner: project, answersChallenges, isSecretLost };
  // A listener whose certificate is not there yet may keep the challenges from being answered.
  const wanted =
    answersChallenges && !isIssued(snapshot)
      ? { ...common, backend: null, hasCertificate: false }
      : { ...common, backend: project.spec.service, hasCertificate };
  const route = applyRoute(settings.routes, wanted, snapshot.route);
  if (!hasCertificate) return { ...nothingServed, writes: route };
  const certificate = decidePlatformCertificate(snapshot);
  return { ...certificate, writes: [...route, ...certificate.writes] };
}

/** It has a certificate, or did when its route was made. */
const isIssued = ({ certificate, route }: ProjectSnapshot): boolean =>
  route?.secretName !== undefined || isTrue(findCondition(certificate?.status?.conditions, 'Ready'));

/** Platform hostnames are claimed like any other, so that no other project or customer domain can have the same one. */
function holdClaim({ claim, hostname, account, project, now }: ProjectSnapshot): WriteAction {
  const { namespace = '', name } = project.metadata;
  const spec = {
    account: account?.spec.id ?? '',
    holder: { namespace, name },
    phase: 'Held' as const,
    epoch: claim?.spec.epoch ?? 1,
    proof: { method: 'Platform' as const, at: timestamp(now) },
    ...(claim?.spec.orders ? { orders: [...claim.spec.orders] } : {}),
    ...(claim?.spec.revocation ? { revocation: claim.spec.revocation } : {}),
  };
  if (claim) return { verb: 'replace', kind: HostnameClaimKind, object: { ...claim, spec } };
  const { apiVersion, kind } = HostnameClaimKind;
  return { verb: 'create', kind: HostnameClaimKind, object: { apiVersion, kind, metadata: { name: hostname }, spec } };
}

function status(
  snapshot: ProjectSnapshot,
  findings: Readonly<Record<string, Finding<ProjectReason>>>,
  certificate: PlatformCertificate['status'],
): WriteAction {
  const { project, claim, hostname, target, now, serving } = snapshot;
  const { generation = 0 } = project.metadata;
  const deployedAt = project.status?.deployedAt ?? (serving ? timestamp(now) : undefined);
  return statusAction(ProjectKind, project, {
    ...(isPlatformHolder(claim, project) && !(claim && isLeaving(claim)) ? { platformHostname: hostname } : {}),
    ...(target === null ? {} : { target }),
    ...classStatus(snapshot),
    ...(deployedAt === undefined ? {} : { deployedAt }),
    ...(Object.keys(certificate).length === 0 ? {} : { certificate }),
    domains: domainList(snapshot),
    ...observedConditions(findings, conditionsOf(project), { generation, now }),
  });
}

/** The project's domains, and those of its entries that a stand-alone ProjectDomain elsewhere in the account overrides. */
function domainList({ project, domains, sameHostname }: ProjectSnapshot) {
  const own = domains.map(({ spec, status: observed }) => ({
    hostname: spec.hostname,
    role: spec.role ?? 'Primary',
    state: observed?.state ?? 'Pending',
  }));
  const listed = new Set(own.map(({ hostname }) => hostname));
  const declaredElsewhere = new Set(sameHostname.map(({ spec }) => spec.hostname));
  const elsewhere = declaredDomains(project.metadata.name, project.spec.domains)
    .filter(({ hostname }) => declaredElsewhere.has(hostname) && !listed.has(hostname))
    .map(({ hostname, role = 'Primary' }) => ({ hostname, role, state: 'DeclaredElsewhere' }));
  return [...own, ...elsewhere]
    .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))
    .slice(0, schemaBounds.projectDomains);
}

function writesOfOwner({ project, account }: ProjectSnapshot): readonly WriteAction[] {
  const { name, namespace = '', ownerReferences = [] } = project.metadata;
  if (!account || !canOwn(account) || ownerReferences.some(({ uid }) => uid === account.metadata.uid)) return [];
  const { apiVersion, kind } = ProjectKind;
  const metadata = { name, namespace, ownerReferences: [ownerReference(account, false)] };
  return [{ verb: 'apply', kind: ProjectKind, object: { apiVersion, kind, metadata } }];
}

/** Deletes route and certificate of a platform hostname. */
const withdrawPlatform = (snapshot: ProjectSnapshot): readonly WriteAction[] => {
  const { project, settings, claim } = snapshot;
  return removeChildren(settings.routes, snapshot, { owner: project, isHolder: isPlatformHolder(claim, project) });
};
