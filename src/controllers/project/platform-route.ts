import type { Finding } from '../../rules/conditions.ts';
import { actSentence } from '../../rules/issue-acts.ts';
import { issueSentence } from '../../rules/issue-params.ts';
import type { RoutedReason } from '../../rules/reasons.ts';
import { isInformational } from '../../rules/codes/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

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
