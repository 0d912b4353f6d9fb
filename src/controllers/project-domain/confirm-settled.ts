import { isDeepStrictEqual } from 'node:util';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { checkOf, desiredDns } from '../../dns/verdict/desired-dns.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../dns/verdict/evaluate-dns.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { driftInterval } from '../../rules/check-schedule.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import type { ScheduledDomain } from '../../rules/next-dns-check.ts';
import { accountOf, permittedClasses } from '../account-lookup.ts';
import type { ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import type { ProjectDomainNeeds } from './project-domain-needs.ts';
import type { Caches } from '../needs.ts';
import { isOverdue, timesOf } from './check-due.ts';
import type { CheckStatus } from './check-status.ts';
import type { DomainClasses } from './domain-classes.ts';
import { addressesFor, domainClasses, servingClasses } from './domain-classes.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import { readCheckStatus, withVerdict } from './check-status.ts';
import { isOwnSecret } from '../../rules/own-certificate.ts';
import { childName } from '../../rules/dns-target.ts';
import { confirmation, probeRoute } from './observe-project-domain.ts';
import { isForeign } from './steps/foreign-certificate.ts';
import type { RecentCheck } from './recent-checks.ts';
import { withRecentCheck } from './recent-checks.ts';
import { found } from './records-status.ts';
import { findingEntries } from './timeline-findings.ts';

/** What is known of a settled domain when its check is due. */
interface Settled {
  readonly domain: ProjectDomain;
  readonly target: string;
  readonly classes: DomainClasses;
  readonly checkStatus: CheckStatus;
  readonly recent: RecentCheck;
  readonly settledUntil: number;
}

/**
 * The scheduled check of a Live domain that has settled: DNS is asked, and the edge as a visitor would. Where they say what
 * they said, nothing else is decided, which pays for the bound of an idle operator (docs/sizing.md). Resolves to null where
 * the domain has to be reconciled instead. To be called only when nothing happened to the domain since its last reconcile.
 */
export async function confirmSettled(
  dependencies: ProjectDomainNeeds,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<ReconcileResult | null> {
  const domain = dependencies.caches.domains.get(key);
  const settled = domain && settledOf(dependencies, domain);
  if (!settled || !isDue(dependencies, settled)) return null;
  const [verdict, isShown] = await Promise.all([
    ask(dependencies, settled, signal),
    showsItsOwn(dependencies, domain, signal),
  ]);
  const now = dependencies.now();
  if (!isStillThere(dependencies.caches, domain) || !verdict || !isAsBefore(settled, verdict, now)) return null;
  if (!isShown) return null;
  if (leadsToOtherClass(dependencies, settled, verdict)) return null;
  dependencies.targets.saw(settled.target, verdict.targetAddresses);
  return confirmed(dependencies, settled, now);
}

/** False where visitors see a certificate that is not the hostname's. An edge that does not answer is no reason to decide anything. */
async function showsItsOwn(
  dependencies: ProjectDomainNeeds,
  domain: ProjectDomain,
  signal: AbortSignal,
): Promise<boolean> {
  const { caches, settings } = dependencies;
  const {
    metadata: { namespace = '' },
    spec: { hostname, certificate: wanted = null },
  } = domain;
  const route = caches.routes.get(namespace, hostname);
  const routed = isOwnSecret(route?.secretName) ? route.secretName : null;
  const own = routed === null ? null : { wanted, isForged: false, lost: null, routed, routedUntil: null };
  const certificate = caches.certificates.get({ namespace, name: childName(hostname) });
  return !isForeign(await probeRoute(dependencies, { domain, settings, own, route, certificate }, signal));
}

/** Nothing is remembered of an object that is gone meanwhile: nobody would forget it. */
export function isStillThere({ domains }: Pick<Caches, 'domains'>, { metadata }: ProjectDomain): boolean {
  const { name, namespace = '', uid } = metadata;
  const found = domains.headOf({ namespace, name })?.metadata;
  return found?.uid === uid && !found?.deletionTimestamp;
}

/** null once its time is up, or where it is not known whose it is. */
function settledOf({ caches, recentChecks, settings, now }: ProjectDomainNeeds, domain: ProjectDomain): Settled | null {
  const recent = recentChecks.of(domain.metadata.uid ?? '');
  const { settledUntil = null } = recent ?? {};
  const accountId = accountOf(caches, domain.metadata.namespace ?? '')?.spec.id;
  if (!recent || settledUntil === null || now() >= settledUntil || accountId === undefined) return null;
  const target = settings.records.target({ accountId, name: domain.spec.project });
  const checkStatus = withRecentCheck(readCheckStatus(domain), recent);
  return { domain, target, classes: settledClasses(caches, settings, domain), recent, settledUntil, checkStatus };
}

/** A settled domain has left its former classes. */
function settledClasses(
  caches: Caches,
  settings: ControllerSettings,
  { metadata: { namespace = '' }, spec }: ProjectDomain,
): DomainClasses {
  const permitted = permittedClasses(caches, accountOf(caches, namespace));
  // A project is unpacked to be read, and what it names counts only where its plan permits something.
  const project = permitted.length === 0 ? undefined : caches.projects.get({ namespace, name: spec.project });
  return domainClasses(settings, { permitted, project, route: undefined });
}

/** As after somebody changed the record of its target: it has to be served there. */
function leadsToOtherClass({ settings, now }: ProjectDomainNeeds, { classes }: Settled, verdict: DnsVerdict): boolean {
  const serving = servingClasses({ now: now(), settings, classes, formerUntil: null, verdict });
  return serving.classes.length > classes.wanted.length;
}

const isDue = (dependencies: ProjectDomainNeeds, { domain, checkStatus }: Settled): boolean =>
  isOverdue(
    { leadingSince: dependencies.recentChecks.since, now: dependencies.now() },
    scheduleOf(dependencies, domain, checkStatus),
  );

/** Remembers the check; when the next one is due. */
function confirmed(
  dependencies: ProjectDomainNeeds,
  { domain, checkStatus, recent, settledUntil }: Settled,
  now: number,
): ReconcileResult {
  const { recentChecks } = dependencies;
  const schedule = scheduleOf(dependencies, domain, { ...checkStatus, checkedAt: now });
  const { next } = timesOf(schedule, { leadingSince: recentChecks.since, now });
  recentChecks.record(domain.metadata.uid ?? '', { ...recent, checkedAt: now, nextAt: next });
  return { requeueAfterMs: Math.max(0, Math.min(next ?? Number.POSITIVE_INFINITY, settledUntil) - now) };
}

/** A settled domain is Live, and holds its hostname. */
const scheduleOf = (
  { caches, settings }: ProjectDomainNeeds,
  { metadata: { uid } }: ProjectDomain,
  checks: CheckStatus,
): ScheduledDomain => ({
  uid,
  state: 'Live',
  isHeld: true,
  checks,
  driftInterval: driftInterval({ ...caches.failureCounts(), ...settings }),
});

/** What a confirmation finds; null for anything but a yes. It asks neither for the ownership record nor for CAA. */
async function ask(
  { dns, settings, targets, tracer }: ProjectDomainNeeds,
  { domain, target, classes, checkStatus }: Settled,
  signal: AbortSignal,
): Promise<DnsVerdict | null> {
  const { hostname } = domain.spec;
  const targetAddresses = targets.of(target);
  const proof = {
    hostname,
    target,
    ownership: null,
    relation: 'Held',
    targetAddresses,
    accountUri: null,
    ...addressesFor(classes),
  } as const;
  const wanted = { ...desiredDns(settings, proof), ca: null };
  const facts = await tracer.span('observe', {}, () => dns.check({ ...checkOf(wanted), isConfirmation: true }, signal));
  const token = { answers: {}, routedBy: checkStatus.routedBy };
  return confirmation(evaluateDns(facts, { ...wanted, token }), { checkStatus });
}

/** True when a reconcile with this verdict would leave the status as it is, but for the time of the check. */
function isAsBefore({ domain, checkStatus }: Settled, verdict: DnsVerdict, now: number): boolean {
  const { records = [], issues = [] } = domain.status ?? {};
  const { checkedAt, fullyCheckedAt, successes } = checkStatus;
  const after = { ...withVerdict(checkStatus, verdict, now), checkedAt, fullyCheckedAt, successes };
  if (verdict.needsToken || !issues.every(isWarning) || !isDeepStrictEqual(after, checkStatus)) return false;
  const shown = records.map(({ status, found: texts }) => ({ status, found: texts }));
  const nowShown = records.map((record, index) => found(record, verdict.records) ?? shown[index]);
  return (
    isDeepStrictEqual(nowShown, shown) &&
    findingEntries({ domain, verdict, now }, { state: 'Live', issues }).length === 0
  );
}
