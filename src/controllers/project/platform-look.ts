import { findCondition, isTrue } from '../../rules/conditions.ts';
import { driftInterval, driftTimes, minutes } from '../../rules/check-schedule.ts';
import type { ScheduledTimes } from '../../rules/check-schedule.ts';
import { shareOf } from '../../rules/next-dns-check.ts';
import type { ProbeRequest } from '../../routing/https-probe.ts';
import { showsOwn } from '../../routing/https-probe.ts';
import { accountOf } from '../account-lookup.ts';
import { isGenuine } from '../project-domain/own-certificate/gather-own-certificates.ts';
import type { ProjectNeeds } from './project-needs.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';
import type { Finding } from '../../rules/conditions.ts';
import { actSentence } from '../../rules/issue-acts.ts';
import { issueSentence } from '../../rules/issue-params.ts';
import type { RoutedReason } from '../../rules/reasons.ts';
import { isInformational } from '../../rules/codes/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';

type Sources = Pick<ProjectNeeds, 'caches' | 'settings' | 'now'>;

/** A reconcile that comes so late after a look was due still makes it. */
const lateAtMost = 2 * minutes;

/** When the edge is asked for a platform hostname: as often as a customer's that is served. */
export function lookTimes({ caches, settings, now }: Sources, uid: string | undefined): ScheduledTimes {
  return driftTimes(shareOf(uid), now(), driftInterval({ ...caches.failureCounts(), ...settings }));
}

const reason = 'ForeignCertificate';

/** Whether the project says already that its platform hostname answers with another's certificate. */
export const isToldForeign = ({ project }: Pick<ProjectSnapshot, 'project'>): boolean =>
  findCondition(project.status?.conditions, 'Routed')?.reason === reason;

/** For so long an edge may show another certificate, as while it starts. */
const foreignAfter = 10_000;

/**
 * Whether visitors of the platform hostname see a certificate that is not its own: once that is so for ten seconds of a hostname that has answered. A look
 * that shows no certificate changes nothing.
 */
export function isForeignShown(snapshot: Pick<ProjectSnapshot, 'project' | 'probe' | 'foreignSince' | 'now'>): boolean {
  const { project, probe, foreignSince = null, now } = snapshot;
  if (isToldForeign(snapshot)) return !showsOwn(probe);
  return isRouted(project) && foreignSince !== null && now - foreignSince >= foreignAfter;
}

const isRouted = ({ status }: ProjectSnapshot['project']): boolean =>
  isTrue(findCondition(status?.conditions, 'Routed'));

/** True when this reconcile must look at what a platform hostname that has answered shows its visitors. */
export function isLookDue(snapshot: ProjectSnapshot, { last }: ScheduledTimes): boolean {
  const { route, project, foreignSince = null, now } = snapshot;
  if (route?.backend === undefined) return false;
  if (isToldForeign(snapshot) || foreignSince !== null) return true;
  return isRouted(project) && last !== null && now - last <= lateAtMost;
}

/** What to ask of the edges; null where it is not known what they should answer with. With default TLS that is anything but a customer's own. */
export function platformRequest({ caches, settings }: Sources, snapshot: ProjectSnapshot): ProbeRequest | null {
  const { hostname, certificate } = snapshot;
  if (settings.platformTls === 'PerHost') {
    const notAfter = certificate?.status?.notAfter;
    return notAfter === undefined ? null : { hostname, notAfter };
  }
  const isForeign = (fingerprint: string) =>
    caches.domains.byIndex('ownFingerprint', fingerprint).some(({ metadata }) => {
      const domain = caches.domains.get({ namespace: metadata.namespace ?? '', name: metadata.name });
      const accountId = accountOf(caches, metadata.namespace ?? '')?.spec.id;
      return domain !== undefined && isGenuine({ settings }, { domain, accountId });
    });
  return { hostname, notAfter: '', isForeign };
}

/** What the edge says of the platform hostname's route. An object that was changed and is not answered again is not noticed. */
export function platformRouteFindings({
  route,
  hostname,
  settings,
  edgeControllers = {},
  fullEdges = [],
  now,
}: ProjectSnapshot): RouteFindings {
  if (!route) return noRouteFindings;
  const look = { hostname, now, controllers: edgeControllers, fullEdges, silentSince: null };
  return settings.routes.findingsOf(route.objects, look);
}

/** The finding with what the edge says in its message: that explains, and whether the hostname is served its own answer decides. */
export function withFindings(finding: Finding<RoutedReason>, { findings }: RouteFindings): Finding<RoutedReason> {
  const faults = findings.filter(({ code }) => !isInformational(code)).map(faultText);
  return faults.length === 0 ? finding : { ...finding, message: [finding.message, ...faults].join('; ') };
}

const faultText = ({ code, act, params }: RouteFinding): string =>
  `${code}: ${issueSentence(code, params)}: ${actSentence(act, { params, delete: [], create: [] })}`;
