import { earliest } from '../../controller-runtime/actions.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { GatewayCondition } from '../../resources/gateway-types.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { isOwnSecret } from '../../rules/own-certificate.ts';
import type { RouteCode } from '../../rules/codes/route-codes.ts';
import { isInformational } from '../../rules/codes/route-codes.ts';
import { redirectBackend } from '../redirect-service.ts';
import type { RouteFinding, RouteFindings, RouteLook } from '../route-findings.ts';
import { answersOf, conditionsOf, isWorthTelling } from './seen-conditions.ts';

/** What the sentences about a route mention beside its hostname. */
interface RoutePlace {
  readonly edge: string;
  /** names, '' where it has none */
  readonly service: string;
  readonly secret: string;
}

/**
 * How long something has to last before it is told, in milliseconds. While several objects are written and read one after the other, each may
 * miss another for a moment, and controllers of many hostnames take a while.
 */
const patienceMs = 60_000;

/** Codes by the reasons of Gateway API, and of Envoy Gateway where it has its own. */
const codeOfReason: Readonly<Partial<Record<string, RouteCode>>> = {
  HostnameConflict: 'HostnameConflicted',
  ProtocolConflict: 'HostnameConflicted',
  RefNotPermitted: 'ReferenceNotGranted',
  InvalidCertificateRef: 'CertificateNotAccepted',
  PartiallyInvalidCertificateRef: 'CertificateNotAccepted',
  BackendNotFound: 'BackendNotFound',
  NoMatchingParent: 'NoMatchingListener',
  NoMatchingListenerHostname: 'NoMatchingListener',
  NoReadyListeners: 'NoMatchingListener',
};

/** The same where the reason says nothing more. */
const codeOfType: Readonly<Partial<Record<string, RouteCode>>> = {
  Conflicted: 'HostnameConflicted',
  OverlappingTLSConfig: 'HostnameOverlaps',
  Programmed: 'ListenerNotProgrammed',
};

/** What the rest follows from. */
const causes: readonly RouteCode[] = [
  'GatewayFull',
  'HostnameConflicted',
  'ReferenceNotGranted',
  'CertificateNotAccepted',
  'BackendNotFound',
];
/** What may follow from something else; the first that is there explains the others. */
const consequences: readonly RouteCode[] = [
  'RouteNotAccepted',
  'NoMatchingListener',
  'ListenerNotProgrammed',
  'EdgeSilent',
];
const informational: readonly RouteCode[] = ['HostnameOverlaps'];

const acts: Readonly<Record<RouteCode, IssueAct>> = {
  GatewayFull: 'GiveAnotherEdge',
  HostnameConflicted: 'RemoveOtherListener',
  ReferenceNotGranted: 'GrantReference',
  CertificateNotAccepted: 'CheckCertificate',
  BackendNotFound: 'DeployProject',
  RouteNotAccepted: 'AllowAttachment',
  NoMatchingListener: 'GiveListener',
  ListenerNotProgrammed: 'CheckController',
  EdgeSilent: 'CheckController',
  HostnameOverlaps: 'AcceptOverlap',
  IngressElsewhere: 'RemoveOtherIngress',
};

/** What the Gateway's controller says of the objects of one hostname, and whether it says anything. Pure. */
export function gatewayFindings(
  objects: readonly KubernetesObject[],
  look: RouteLook,
  place: RoutePlace,
): RouteFindings {
  const { now, controllers } = look;
  const controller = controllers[place.edge] ?? null;
  const silent = objects.filter((object) => answersOf(object, controller).length === 0);
  const said = objects.flatMap((object) => answersOf(object, controller)).filter(isWorthTelling);
  const silentSince = silenceOf(silent, look);
  // Who refuses one object may say nothing of another that depends on it.
  const isRefused = said.some((condition) => !isInformational(codeOf(condition)));
  const isFull = look.fullEdges?.includes(place.edge) ?? false;
  const silence =
    silentSince === null || isRefused ? [] : [{ code: 'EdgeSilent' as const, since: silentSince, reason: '' }];
  const seen = [...said.map(toldOf), ...silence].map((one) => (isFull ? withoutPlace(one) : one));
  const lasting = seen.filter(({ since }) => since + patienceMs <= now);
  const later = seen.filter((one) => !lasting.includes(one)).map(({ since }) => since + patienceMs);
  return {
    findings: mostTelling(lasting).map((one) => findingOf(one, { ...place, name: look.hostname })),
    silentSince,
    dueAt: earliest(...later),
  };
}

/** What is to be told, and since when it lasts. */
interface Told {
  readonly code: RouteCode;
  readonly since: number;
  /** the controller's own word; '' without one */
  readonly reason: string;
}

const codeOf = ({ type, reason = '' }: GatewayCondition): RouteCode =>
  codeOfReason[reason] ?? codeOfType[type] ?? 'RouteNotAccepted';

/** One that does not say since when counts at once. */
const toldOf = (condition: GatewayCondition): Told => ({
  code: codeOf(condition),
  since: Date.parse(condition.lastTransitionTime ?? '') || Number.NEGATIVE_INFINITY,
  reason: condition.reason ?? '',
});

/** A hostname that has no listener in a Gateway that is full has found no place in it. */
const withoutPlace = (told: Told): Told =>
  told.code === 'NoMatchingListener' ? { ...told, code: 'GatewayFull' } : told;

/** One of each code: causes in place of what follows from them, and what is only to be known at the end. */
function mostTelling(told: readonly Told[]): readonly Told[] {
  const firstOf = (codes: readonly RouteCode[]) => codes.flatMap((code) => told.find((one) => one.code === code) ?? []);
  const first = firstOf(causes);
  const faults = first.length > 0 ? first : firstOf(consequences).slice(0, 1);
  return [...faults, ...firstOf(informational)];
}

/** An object of which nobody has ever said anything waits since it was made. */
function silenceOf(silent: readonly KubernetesObject[], { silentSince, now }: RouteLook): number | null {
  if (silent.length === 0) return null;
  if (silentSince !== null) return silentSince;
  const made = silent
    .filter((object) => conditionsOf(object).length === 0)
    .map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || now);
  return Math.min(now, ...made);
}

const findingOf = ({ code, reason }: Told, place: RoutePlace & { readonly name: string }): RouteFinding =>
  Object.freeze({ code, act: actOf(code, place), params: { ...place, said: reason } });

/** The customer can do something about what is the customer's own. */
function actOf(code: RouteCode, { service, secret }: RoutePlace): IssueAct {
  if (code === 'BackendNotFound' && service === redirectBackend.name) return 'WaitForPlatform';
  if (code === 'CertificateNotAccepted' && isOwnSecret(secret)) return 'SendCertificate';
  return acts[code];
}
