import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { isOrderedHere } from '../../../issuing/issuer-ref.ts';
import { CertificateKind } from '../../../resources/kinds.ts';
import { redirectBackend } from '../../../routing/redirect-service.ts';
import type { DesiredRoute, ObservedRoute, RouteBackend } from '../../../routing/route-port.ts';
import { suspendedSuffix } from '../../../routing/route-port.ts';
import { applyRoute, applySuspensions } from '../../../routing/route-writes.ts';
import { suspendedBelowAtMost } from '../../../rules/claim-suspension.ts';
import type { Finding } from '../../../rules/conditions.ts';
import { findingsOf, isTrue } from '../../../rules/conditions.ts';
import { routedReasons } from '../../../rules/codes/routed-reasons.ts';
import type { RoutedReason } from '../../../rules/reasons.ts';
import { visitedHostname } from '../../../rules/dns-target.ts';
import { isWildcard } from '../../../rules/wildcard.ts';
import { canServeWildcards } from '../../controller-settings.ts';
import { hasLostSecret } from '../../tls-secrets.ts';
import { removeChildren } from '../../remove-children.ts';
import { hasAnswered } from '../lost-route.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';
import type { Permission } from './certificate-step.ts';

const { no, unknown, yes } = findingsOf(routedReasons);

export interface RouteStep {
  readonly finding: Finding<RoutedReason>;
  readonly writes: readonly WriteAction[];
}

interface RoutePermission extends Permission {
  /** the hostname is prepared, and still leads to its former server */
  readonly isDelegated: boolean;
  /** requests for the domain's token go to the redirector */
  readonly answersToken: boolean;
}

/**
 * Decides the route: it leads to the project once the certificate exists, is kept while the name is held, and Routed once it has
 * answered. Where the operator orders the certificate, it leads before that to the answers of challenges alone. Pure.
 */
export function decideRoute(
  snapshot: EvaluatedProjectDomain,
  issued: Finding,
  { mayCreate, answersToken, isDelegated }: RoutePermission,
): RouteStep {
  const { route, claimRelation } = snapshot;
  if (claimRelation.kind !== 'Held')
    return { finding: waiting(), writes: isUndecided(claimRelation.kind) ? [] : prune(snapshot) };
  if (!mayCreate && !route) return { finding: unlessLost(snapshot, waiting()), writes: [] };
  const answersChallenges = routesChallenges(snapshot);
  const paths = { answersToken, answersChallenges };
  if (!isTrue(issued) && !isServing(route)) {
    const isWanted = answersChallenges && mayCreate;
    const finding = unlessLost(snapshot, waiting());
    return { finding, writes: isWanted ? routeWrites(snapshot, { ...paths, backend: null }) : [] };
  }
  const backend = backendOf(snapshot);
  const isWritten = backend !== null && mayCreate;
  const writes = isWritten ? routeWrites(snapshot, { ...paths, backend }) : suspensionWrites(snapshot);
  return { finding: answered(snapshot, isDelegated), writes };
}

/** Nobody has the hostname, and whatever is left of an earlier life of it is this object's own. */
const isUndecided = (kind: EvaluatedProjectDomain['claimRelation']['kind']): boolean =>
  kind === 'Free' || kind === 'Pending';

/** It leads somewhere, and not only to the answer that a hostname is suspended which never had a certificate. */
const isServing = (route: ObservedRoute | undefined): boolean =>
  route?.backend !== undefined && (route.backend !== redirectBackend.name || route.secretName !== undefined);

const waiting = (): Finding<RoutedReason> => unknown('Waiting', 'waiting for the certificate');

/** Deletes route and certificate; the TLS Secret is kept in case the name comes back (docs/concepts/states.md). */
export function withdrawRoute(snapshot: EvaluatedProjectDomain, why: string): RouteStep {
  return { finding: no('Withdrawn', why), writes: prune(snapshot) };
}

/**
 * The same of a hostname that stays held. Where wildcards are served its route stays and leads to the redirector, which answers 503: without
 * one the wildcard above it would serve what was suspended, for the moment in which that does not lead around it yet. A route that the cluster does
 * not let be changed is deleted.
 */
export function suspendRoute(snapshot: EvaluatedProjectDomain, why: string): RouteStep {
  const { domain, settings, route, isRouteRefused = false } = snapshot;
  if (isWildcard(domain.spec.hostname)) return suspendWildcard(snapshot, why);
  const step = withdrawRoute(snapshot, why);
  if (!canServeWildcards(settings) || isRouteRefused) return step;
  const hasCertificate = route?.secretName !== undefined;
  const kept = routeWrites(snapshot, { backend: redirectBackend, hasCertificate });
  return { ...step, writes: [...step.writes.filter(({ kind }) => kind === CertificateKind), ...kept] };
}

/**
 * What leads suspended hostnames around it stays, and is written where it could not be: the wildcard may be suspended for just that. Of more than
 * an edge can name there is none.
 */
function suspendWildcard(snapshot: EvaluatedProjectDomain, why: string): RouteStep {
  const { route, suspendedBelow } = snapshot;
  if (suspendedBelow.length === 0 || suspendedBelow.length > suspendedBelowAtMost) return withdrawRoute(snapshot, why);
  const objects = route?.objects.filter(({ metadata }) => !metadata.name.endsWith(suspendedSuffix)) ?? [];
  const step = withdrawRoute({ ...snapshot, route: route && { ...route, objects } }, why);
  return { ...step, writes: [...step.writes, ...suspensionWrites(snapshot)] };
}

const prune = ({
  route,
  certificate,
  domain,
  settings,
  claimRelation,
}: EvaluatedProjectDomain): readonly WriteAction[] =>
  removeChildren(
    settings.routes,
    { hostname: domain.spec.hostname, route, certificate },
    { owner: domain, isHolder: claimRelation.kind === 'Held' },
  );

/**
 * A hostname that becomes a redirect keeps serving the project until its destination's route leads to the project: when
 * two hostnames swap roles, both keep answering and no redirect loop arises.
 */
function backendOf(snapshot: EvaluatedProjectDomain): RouteBackend | null {
  const { domain, project, platformHostname, route, destination } = snapshot;
  const service = project ? project.spec.service : null;
  if (domain.spec.role !== 'Redirect') return service;
  const leadsToPlatform = domain.spec.redirect?.to === platformHostname;
  const waits = leadsToProject(route) && !leadsToPlatform && !leadsToProject(destination);
  return waits ? service : redirectBackend;
}

const leadsToProject = (route: ObservedRoute | undefined): boolean =>
  route?.backend !== undefined && route.backend !== redirectBackend.name;

function routeWrites(
  snapshot: EvaluatedProjectDomain,
  to: Pick<DesiredRoute, 'backend' | 'answersToken' | 'answersChallenges'> & Partial<DesiredRoute>,
): readonly WriteAction[] {
  return applyRoute(snapshot.settings.routes, wantedRoute(snapshot, to), snapshot.route);
}

/** Of a wildcard whose route is only kept: a hostname that it includes may be suspended all the same. */
const suspensionWrites = (snapshot: EvaluatedProjectDomain): readonly WriteAction[] =>
  applySuspensions(snapshot.settings.routes, wantedRoute(snapshot, { backend: redirectBackend }), snapshot.route);

function wantedRoute(
  snapshot: EvaluatedProjectDomain,
  to: Pick<DesiredRoute, 'backend'> & Partial<DesiredRoute>,
): DesiredRoute {
  const { domain } = snapshot;
  const { namespace = '' } = domain.metadata;
  const { hostname } = domain.spec;
  return {
    namespace,
    hostname,
    owner: domain,
    hasCertificate: to.backend !== null,
    secretName: routedSecret(snapshot),
    otherSecrets: (domain.status?.certificate?.ownSecrets ?? []).map(({ name }) => name),
    classes: snapshot.serving.classes,
    isServedByWildcard: snapshot.isWildcardServed,
    suspendedBelow: snapshot.suspendedBelow,
    isSecretLost: hasLostSecret(snapshot.certificate),
    ...to,
  };
}

/**
 * Once it has answered, it counts as routed while the route exists: a single failed probe changes nothing. A route that somebody deleted is written
 * again and probed until it answers, and the hostname goes on counting as routed for as long as that may take.
 */
function answered(snapshot: EvaluatedProjectDomain, isDelegated: boolean): Finding<RoutedReason> {
  const { probe, lostRoute } = snapshot;
  const isKept = hasAnswered(snapshot) && lostRoute.since === null;
  if (probe?.ok || isKept || lostRoute.countsUntil !== null)
    return isDelegated ? readyToSwitch(snapshot) : yes('Routed', 'the hostname answers with its certificate');
  const detail = probe && !probe.ok ? `: ${probe.detail}` : '';
  return unknown('NotAnswering', `the hostname does not answer with its certificate yet${detail}`);
}

/** What had answered is missing, and is on its way back: a finding that something is waited for would end the state at once. */
const unlessLost = ({ lostRoute }: EvaluatedProjectDomain, finding: Finding<RoutedReason>): Finding<RoutedReason> =>
  lostRoute.countsUntil !== null
    ? yes('Routed', 'the hostname has answered with its certificate; its route is missing and is made again')
    : finding;

function readyToSwitch({ domain, settings }: EvaluatedProjectDomain): Finding<RoutedReason> {
  const { hostname } = domain.spec;
  const visited = visitedHostname(hostname);
  const [address] = settings.platformAddresses;
  const look =
    address === undefined ? '' : `; look at it first with curl --resolve ${visited}:443:${address} https://${visited}/`;
  return unknown('ReadyToSwitch', { hostname, look });
}

/**
 * The Secret that the route is to name; undefined for the one that is named after the hostname. One of the customer's own stays until
 * what follows it is there, but never longer than its names are its account's.
 */
function routedSecret(snapshot: EvaluatedProjectDomain): string | undefined {
  const { own, ownUse, certificateConditions } = snapshot;
  if (own === null) return undefined;
  if (ownUse.isRoutable) return own.wanted?.secretName;
  return own.routed === null || isTrue(certificateConditions.Ready) || ownUse.isRouteOver ? undefined : own.routed;
}

/**
 * Whether the path of ACME's challenges leads to the redirector: where the operator orders, but not where the customer's own is served
 * and nothing is under way, nor for a wildcard, whose challenges are answered over DNS.
 */
function routesChallenges(snapshot: EvaluatedProjectDomain): boolean {
  const { settings, own, ownUse, certificate, domain } = snapshot;
  const isLeft = certificate === undefined && own !== null && own.wanted !== null && ownUse.trouble === null;
  return isOrderedHere(settings.issuer) && !isLeft && !isWildcard(domain.spec.hostname);
}
