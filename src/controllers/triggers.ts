import type { KubernetesObject, ObjectOf } from '../kubernetes/kubernetes-port.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { accountLabel, hostnameAnnotation } from '../resources/object-metadata.ts';
import { issuerPaused, orderIndex } from '../rules/order-ledger/registered-domain-orders.ts';
import { grantsCache } from '../routing/gateway/gateway-listener-routes.ts';
import { redirectBackend } from '../routing/redirect-service.ts';
import { indexKey, keyOf, parseKey, queueKey } from '../kubernetes/object-keys.ts';
import { allForeignRequests, foreignRequestKeys } from './orphan/foreign-requests.ts';
import { allOrphanKeys, orphanKeys } from './orphan/orphan-keys.ts';
import { sweepsOf } from './sweeps.ts';
import type { Change, ReconcileKeys, KeySweep, ReconcileRequests } from './reconcile-requests.ts';
import { isDifferent, isDecisive, isIntent } from './reconcile-requests.ts';
import type { ControllerSettings } from './controller-settings.ts';
import { orderTriggersOf } from './acme-order/order-triggers.ts';
import { usesRedirector, redirectorNamespaces } from './redirector-endpoints/decide-redirector-endpoints.ts';
import type { Caches } from './needs.ts';
import type { WatchedKinds } from './watched-kinds.ts';
import { claimKey, claimName, claimedHostname } from '../rules/claim-name.ts';
import { isSuspended, suspensionReason } from '../rules/claim-suspension.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import { isLeaving } from '../rules/leaving.ts';
import { servesAsPrimary } from '../rules/domain-head.ts';
import { baseOf, isWildcard, wildcardAbove } from '../rules/wildcard.ts';

/** The settings that triggers depend on. */
export type TriggerSettings = Pick<ControllerSettings, 'redirector' | 'issuer' | 'routes' | 'writtenGateways'>;

/** Who has to look when an object of one kind changes. */
export type Trigger<T extends KubernetesObject> = (change: Change<T>) => ReconcileRequests;

type Triggers = { readonly [Name in keyof WatchedKinds]: Trigger<ObjectOf<WatchedKinds[Name]>> };

/**
 * Who has to look when something changes: kind of the changed object to keys. What a person or a child of one object
 * changed wakes that object at once; whoever else it concerns is found by an index, in a sweep. Each is of constant
 * cost. Pure but for reading the caches.
 */
export function triggersOf(caches: Caches, { redirector, issuer }: TriggerSettings): Triggers {
  const sweeps = sweepsOf(caches);
  const toRedirector = redirectorNamespaces(caches, issuer);
  const ordering = orderTriggersOf(caches, issuer);
  /** A wildcard looks after suspended hostnames that it includes, and they are suspended with it. */
  const suspending = (hostname: string): readonly KeySweep[] => {
    const above = wildcardAbove(hostname);
    if (isWildcard(hostname)) return [sweeps.heldBelow(baseOf(hostname))];
    return above === null ? [] : [sweeps.ofHostname(above)];
  };
  return {
    plans: (change) => {
      const { object, previous, type } = change;
      const allowed = ({ spec: { rateLimit: _, ...rest } }: typeof object) => rest;
      const matters = type !== 'modified' || !previous || isDifferent(allowed(object), allowed(previous));
      return { plan: ['defaults'], sweeps: matters ? [sweeps.ofPlan(object.metadata.name)] : [] };
    },
    accounts: (change) => {
      const { name } = change.object.metadata;
      return isDecisive(change) ? { account: [name], sweeps: [sweeps.ofAccount(name)] } : {};
    },
    namespaces: ({ object, previous, type }) => {
      const accounts = [object, previous].flatMap((namespace) => namespace?.metadata.labels?.[accountLabel] ?? []);
      const isSame = object.metadata.deletionTimestamp === previous?.metadata.deletionTimestamp;
      if (type === 'modified' && isSame && accounts.length === 2 && accounts[0] === accounts[1]) return {};
      const { name } = object.metadata;
      return {
        account: accounts,
        redirectorEndpoints: [name],
        sweeps: [sweeps.ofNamespace(name), ...accounts.map(sweeps.ofAccount)],
      };
    },
    projects: (change) => {
      const { object, previous } = change;
      const key = keyOf(object);
      const seen = ({ status }: typeof object) => [status?.deployedAt, status?.platformHostname];
      const served = previous === undefined || isDifferent(seen(object), seen(previous));
      const inLine = wakeLedger(change);
      if (!isIntent(change) && !served) return inLine;
      const concerned = served || isDecisive(change) ? [sweeps.domainsOfProject(key)] : [];
      return { ...inLine, project: [key], sweeps: [...concerned, ...(isGoing(change) ? [sweeps.heldBy(key)] : [])] };
    },
    domains: (change) => {
      const { object, previous } = change;
      const project = projectOf(object);
      const showsState = object.status?.state !== previous?.status?.state;
      const inLine = wakeLedger(change);
      if (!isIntent(change)) {
        const isOther = previous !== undefined && servesAsPrimary(object) !== servesAsPrimary(previous);
        const woken = { ...inLine, ...newlyLed(change), ...(showsState ? { project: [project] } : {}) };
        return isOther ? { ...woken, sweeps: [sweeps.primariesOfProject(project)] } : woken;
      }
      const key = keyOf(object);
      const asked = { ...inLine, ...ordering.ofVerify(change) };
      if (!isDecisive(change))
        return { ...asked, projectDomain: [key], ...(isRelabelled(change) ? { project: [project] } : {}) };
      return {
        ...asked,
        project: [project],
        projectDomain: [key],
        redirectorEndpoints: redirecting(object, previous),
        hostnameClaim: isGoing(change) ? [claimName(object.spec.hostname)] : [],
        sweeps: isRivalry(change) ? [sweeps.domainsOfProject(project), sweeps.ofHostname(object.spec.hostname)] : [],
      };
    },
    claims: (change) => {
      const { object, previous } = change;
      const { name } = object.metadata;
      const holders = [object, previous].flatMap((claim) => (claim ? [holderOf(claim)] : []));
      const said = saysOfIssuer(object) && !(previous && saysOfIssuer(previous));
      const wake = {
        hostnameClaim: [name],
        ...merged(holders),
        ...ordering.ofClaim(object),
        orderLedger: said ? [orderLedgerKey] : [],
      };
      const suspended = isSuspensionChanged(change) ? suspending(claimedHostname(name)) : [];
      if (!isRehold(change)) return { ...wake, sweeps: suspended };
      const projects = holders.flatMap(({ project = [], projectDomain = [] }) => [
        ...project,
        ...projectDomain.flatMap((key) => caches.domains.headOf(parseKey(key)) ?? []).map(projectOf),
      ]);
      return {
        ...wake,
        sweeps: [
          sweeps.ofHostname(claimedHostname(name)),
          ...unique(projects).map(sweeps.domainsOfProject),
          ...(object.spec.proof.method === 'Platform' ? [sweeps.askingFor(firstLabel(name))] : []),
          ...suspended,
        ],
      };
    },
    /** Whoever was granted an order, which is not usable for long. */
    orderLedgers: ({ object, previous }) => {
      const before = new Set((previous?.spec.orders ?? []).map(({ request }) => request));
      const granted = (object.spec.orders ?? []).filter(
        ({ request, state }) => state === 'Granted' && !before.has(request),
      );
      const holders = granted.flatMap(({ hostname, kind }) => {
        const holder = caches.claims.get(claimKey(hostname))?.spec.holder;
        return holder ? [{ kind, key: indexKey(holder.namespace, holder.name) }] : [];
      });
      const [platform, customers] = [true, false].map((wanted) =>
        holders.filter(({ kind }) => (kind === 'Platform') === wanted).map(({ key }) => key),
      );
      const { name } = object.metadata;
      const isShown =
        isDifferent(object.spec.accounts, previous?.spec.accounts) && caches.acmeIssuers.get({ namespace: '', name });
      return {
        ahead: { project: platform ?? [], projectDomain: customers ?? [] },
        orderLedger: [orderLedgerKey],
        acmeIssuer: isShown ? [name] : [],
      };
    },
    /** Whoever owns it. */
    certificates: (change) => ({
      ...wakeInTurn(change.object, isReadyNow(change)),
      ...ordering.ofChangedCertificate(change),
      ...orphanKeys(caches, 'certificates', change.type === 'deleted' ? [] : [change.object]),
    }),
    certificateRequests: ({ object, type }) => {
      const foreign = type === 'deleted' ? {} : foreignRequestKeys(caches, issuer, object);
      const name = object.metadata.annotations?.['cert-manager.io/certificate-name'] ?? '';
      const certificate = caches.certificates.get({ namespace: object.metadata.namespace ?? '', name });
      return certificate ? { ...wakeOwner(certificate), ...ordering.ofCertificate(certificate), ...foreign } : foreign;
    },
    endpointSlices: ({ object, type }) => {
      const namespace = object.metadata.namespace ?? '';
      const name = object.metadata.labels?.['kubernetes.io/service-name'] ?? '';
      if (namespace === redirector.namespace && name === redirector.name)
        return { sweeps: [sweeps.redirecting(toRedirector)] };
      if (name === redirectBackend.name) return type === 'deleted' ? { redirectorEndpoints: [namespace] } : {};
      return { sweeps: [sweeps.undeployed({ namespace, name })] };
    },
    issuers: () => ({}),
    acmeIssuers: (change) => {
      const usable = (issuer: typeof change.previous) =>
        issuer?.status?.accounts?.map(({ name, uri, use }) => [name, uri, use === 'Unusable']);
      const isUsedAnew = isDifferent(usable(change.object), usable(change.previous));
      return {
        acmeIssuer: isDecisive(change) ? [change.object.metadata.name] : [],
        orderLedger: isUsedAnew || isDecisive(change) ? [orderLedgerKey] : [],
      };
    },
    apiKeys: (change) => (isIntent(change) ? { apiKey: [keyOf(change.object)] } : {}),
  };
}

/**
 * Who has to look when an object of a route changes, `name` being that of its cache: whoever owns it, and the redirects that
 * wait until their destination's route leads to the project.
 */
export function routeTriggerOf(
  caches: Caches,
  { routes, writtenGateways }: Pick<ControllerSettings, 'routes' | 'writtenGateways'>,
): (name: string, change: Change) => ReconcileRequests {
  const sweeps = sweepsOf(caches);
  return (name, change) => {
    if (!saysSomethingNew(change)) return {};
    const { object, type } = change;
    const { namespace = '', annotations } = object.metadata;
    const hostname = annotations?.[hostnameAnnotation];
    return {
      ...wakeInTurn(object, hasCertificateNow(routes, change)),
      ...orphanKeys(caches, name, type === 'deleted' ? [] : [object]),
      gatewayListeners: name === grantsCache ? writtenGateways.map((one) => one.class) : [],
      sweeps: hostname !== undefined && isDecisive(change) ? [sweeps.redirectsTo(namespace, hostname)] : [],
    };
  };
}

/** Of what a cache keeps something is different: a status may be written for reasons that concern nobody here. */
const saysSomethingNew = ({ object, previous }: Change): boolean =>
  previous === undefined || isDifferent(withoutVersion(object), withoutVersion(previous));

const withoutVersion = ({ metadata, ...rest }: KubernetesObject) => ({
  ...rest,
  metadata: { ...metadata, resourceVersion: undefined },
});

/** Whoever owns it, ahead where its turn has come. */
function wakeInTurn(object: KubernetesObject, isAhead: boolean): ReconcileRequests {
  const owner = wakeOwner(object);
  return isAhead ? { ahead: owner } : owner;
}

const isReady = ({ status }: Certificate): boolean => isTrue(findCondition(status?.conditions, 'Ready'));

const isReadyNow = ({ object, previous }: Change<Certificate>): boolean =>
  isReady(object) && previous !== undefined && !isReady(previous);

/** A route that leads to the project from now on: the last step but the probe. */
const hasCertificateNow = (routes: ControllerSettings['routes'], { object, previous }: Change): boolean =>
  previous !== undefined && routes.secretOf([previous]) === undefined && routes.secretOf([object]) !== undefined;

/** The operator orders of one issuer, so its ledger's controller has one key. */
const orderLedgerKey = 'issuer';

interface Asks extends KubernetesObject {
  readonly status?: {
    readonly certificate?: { readonly request?: string; readonly permittedAccounts?: readonly string[] };
  };
}

/** A request that begins or ceases to wait for its turn, or waits for another account now. */
function wakeLedger({ type, object, previous }: Change<Asks>): ReconcileRequests {
  const asked = (seen: Asks | undefined) => {
    const { request = '', permittedAccounts = [] } = seen?.status?.certificate ?? {};
    return [request, ...permittedAccounts].join(' ');
  };
  const same = asked(type === 'deleted' ? undefined : object) === asked(type === 'deleted' ? object : previous);
  return same ? {} : { orderLedger: [orderLedgerKey] };
}

const saysOfIssuer = (claim: HostnameClaim): boolean => orderIndex(claim).includes(issuerPaused);

/** What every new leader does at once, whatever its predecessor has done. */
export function sweepOfStart(
  caches: Caches,
  { issuer, writtenGateways }: Pick<TriggerSettings, 'issuer' | 'writtenGateways'>,
): KeySweep {
  return {
    name: 'start',
    *pieces() {
      yield {
        plan: ['defaults'],
        orderLedger: [orderLedgerKey],
        gatewayListeners: writtenGateways.map((one) => one.class),
      };
      yield* sweepsOf(caches).redirecting(redirectorNamespaces(caches, issuer)).pieces();
      for (const { name } of caches.acmeIssuers.keys()) yield { acmeIssuer: [name] };
      yield* orderTriggersOf(caches, issuer).ofStart();
      for (const name of caches.claims.indexValues('revoking')) yield { revocation: [name] };
      for (const key of caches.apiKeys.keys()) yield { apiKey: [queueKey(key)] };
      yield* allOrphanKeys(caches);
      yield* allForeignRequests(caches, issuer);
    },
  };
}

/** Whom it concerns that an authority falls silent, is down, or answers again. */
export function sweepOfAuthorities(caches: Caches, { issuer }: Pick<TriggerSettings, 'issuer'>): KeySweep {
  return {
    name: 'authorities',
    *pieces() {
      yield { orderLedger: [orderLedgerKey], acmeIssuer: [...caches.acmeIssuers.keys()].map(({ name }) => name) };
      yield* orderTriggersOf(caches, issuer).ofStart();
    },
  };
}

/** It is deleted, or gone: what it held is given up, whatever keeps the object. */
const isGoing = ({ type, object }: Change): boolean => type === 'deleted' || isLeaving(object);

/** A change of a domain that others decide from: it came or goes, or it changed its role. */
const isRivalry = ({ type, object, previous }: Change<ProjectDomain>): boolean =>
  type !== 'modified' ||
  object.spec.role !== previous?.spec.role ||
  object.metadata.deletionTimestamp !== previous?.metadata.deletionTimestamp;

const projectOf = ({ metadata, spec }: Pick<ProjectDomain, 'metadata' | 'spec'>): string =>
  indexKey(metadata.namespace ?? '', spec.project);

/** The namespace, where the domain leads or led to the redirector. */
const redirecting = (...seen: readonly (ProjectDomain | undefined)[]): readonly string[] =>
  unique(seen.flatMap((domain) => (domain && usesRedirector(domain) ? [domain.metadata.namespace ?? ''] : [])));

/** A token that is published leads to the redirector where nothing did before. */
const newlyLed = ({ object, previous }: Change<ProjectDomain>): ReconcileKeys =>
  previous && !usesRedirector(previous) && usesRedirector(object) ? { redirectorEndpoints: redirecting(object) } : {};

const firstLabel = (hostname: string): string => hostname.split('.', 1)[0] ?? '';

const unique = (keys: readonly string[]): readonly string[] => [...new Set(keys)];

const isRelabelled = ({ object, previous }: Change): boolean =>
  isDifferent(object.metadata.labels, previous?.metadata.labels);

/** It became suspended, or is no more; a suspended claim that came or went too. */
const isSuspensionChanged = ({ type, object, previous }: Change<HostnameClaim>): boolean =>
  type === 'modified' ? suspensionReason(object) !== suspensionReason(previous) : isSuspended(object);

/** The claim came, went or changed in what it says of its holder; its orders and revocations concern the holder alone. */
function isRehold({ type, object, previous }: Change<HostnameClaim>): boolean {
  const said = ({ spec: { orders: _, revocation: _request, ...rest } }: HostnameClaim) => rest;
  return type !== 'modified' || previous === undefined || isDifferent(said(object), said(previous));
}

/** The key of whatever holds a claim. */
export function holderOf({ spec: { holder, proof } }: HostnameClaim): ReconcileKeys {
  const key = indexKey(holder.namespace, holder.name);
  return proof.method === 'Platform' ? { project: [key] } : { projectDomain: [key] };
}

const merged = (wakes: readonly ReconcileKeys[]): ReconcileKeys => ({
  project: unique(wakes.flatMap(({ project = [] }) => project)),
  projectDomain: unique(wakes.flatMap(({ projectDomain = [] }) => projectDomain)),
});

function wakeOwner({ metadata }: KubernetesObject): ReconcileKeys {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = indexKey(metadata.namespace ?? '', owner?.name ?? '');
  if (owner?.kind === 'ProjectDomain') return { projectDomain: [key] };
  return owner?.kind === 'Project' ? { project: [key] } : {};
}
