import type { Account } from '../../src/generated/account.ts';
import type { HostnameClaim } from '../../src/generated/hostname-claim.ts';
import type { Project } from '../../src/generated/project.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { defaultPlans } from './plans.ts';
import { signingRequest } from './signing-request.ts';
import { countingAccounts } from '../../src/rules/order-ledger/order-limits.ts';
import type { OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';
import { noOrderUsage } from '../../src/controllers/order-ledger/order-usage.ts';
import { requestId } from '../../src/issuing/order-history.ts';
import type { OrderLedger } from '../../src/generated/order-ledger.ts';
import type { LedgerOrder } from '../../src/rules/order-ledger/window-usage.ts';
import type { CertificateRequest } from '../../src/resources/cert-manager-types.ts';
import type { Limits } from '../../src/rules/plan-limits.ts';
import { childName, recordValues } from '../../src/rules/dns-target.ts';
import type { Competitor } from '../../src/rules/precedence.ts';
import { assessProjectDomain } from '../../src/controllers/project-domain/project-domain-reconciler.ts';
import type {
  GatheredProjectDomain,
  ProjectDomainSnapshot,
} from '../../src/controllers/project-domain/project-domain-snapshot.ts';
import { domainClasses } from '../../src/controllers/project-domain/domain-classes.ts';
import { readCheckStatus } from '../../src/controllers/project-domain/check-status.ts';
import type { ControllerSettings } from '../../src/controllers/controller-settings.ts';
import type { KubernetesObject } from '../../src/kubernetes/kubernetes-port.ts';
import { ingressControllers } from '../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../src/routing/ingress/ingress-routes.ts';
import type { ObservedRoute } from '../../src/routing/route-port.ts';
import { issue } from '../../src/dns/verdict/dns-issue.ts';
import type { DnsIssue, DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';

/** A time at which a held domain of this uid is checked; its daily full check was three hours before. */
export const now = Date.parse('2026-01-01T12:00:00Z');
const apiVersion = 'projectdomain.io/v1alpha1';

/** Let's Encrypt's, as the chart has them. */
export const orderLimits: OrderLimits = {
  orders: { count: 300, seconds: 10_800 },
  registeredDomain: { count: 50, seconds: 604_800 },
  exactSet: { count: 5, seconds: 604_800 },
  failures: { count: 5, seconds: 3_600 },
  renewalReserve: 20,
  platformPercent: 20,
  shares: { pro: 1, business: 4, enterprise: 16 },
};

/** The one account of an issuer with these limits. */
export const accountsWith = (limits: OrderLimits, uri = 'https://ca.test/acct/1') =>
  countingAccounts([
    {
      name: null,
      server: '',
      limits,
      ca: { domains: ['ca.test'], method: 'http-01', caaProfile: 'strict', accountUri: uri } as const,
    },
  ]);

export const routes = createIngressRoutes({ className: 'nginx', controller: ingressControllers.Other });

export const settings: ControllerSettings = {
  platformDomain: 'apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformAddresses: ['203.0.113.10'],
  issuer: { kind: 'ClusterIssuer', name: 'ca' },
  challengeZone: null,
  ca: { domains: ['ca.test'], method: 'http-01', caaProfile: 'strict' },
  orderLimits,
  gateways: [],
  writtenGateways: [],
  routes,
  routingClasses: {
    common: ['default'],
    chosen: new Map(),
    ofObjects: (objects) => (objects.length > 0 ? ['default'] : []),
  },
  drainMs: 300_000,
  systemNamespace: 'projectdomain-system',
  redirector: { namespace: 'projectdomain-system', name: 'projectdomain-redirector' },
  platformTls: 'PerHost',
  requireTxt: false,
  looksPerSecond: 50,
  cdnRanges: [],
  plans: defaultPlans,
  certManager: null,
  records: recordValues(Buffer.alloc(32, 1), 'cname.apps.example.net'),
};

export const account: Account = {
  apiVersion,
  kind: 'Account',
  metadata: { name: 'acme', uid: 'u-acme' },
  spec: { plan: 'pro', id: 'acc-acme' },
};

export const project: Project = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop', namespace: 'acme', uid: 'u-shop' },
  spec: { service: { name: 'shop-web', port: 8080 } },
  status: { deployedAt: '2026-01-01T00:00:00Z', platformHostname: 'shop.apps.example.net' },
};

export function domain(
  changes: { spec?: Partial<ProjectDomain['spec']>; status?: ProjectDomain['status'] } = {},
): ProjectDomain {
  return {
    apiVersion,
    kind: 'ProjectDomain',
    metadata: {
      name: 'www',
      namespace: 'acme',
      uid: '60000000-www',
      generation: 1,
      creationTimestamp: '2026-01-01T11:59:00Z',
    },
    spec: { project: 'shop', hostname: 'www.example.com', role: 'Primary', ...changes.spec },
    ...(changes.status ? { status: changes.status } : {}),
  };
}

export function claim(changes: Partial<HostnameClaim['spec']> = {}): HostnameClaim {
  return {
    apiVersion,
    kind: 'HostnameClaim',
    metadata: { name: 'www.example.com', uid: 'u-claim', resourceVersion: '7' },
    spec: {
      account: 'acc-acme',
      holder: { namespace: 'acme', name: 'www' },
      phase: 'Held',
      epoch: 1,
      proof: { method: 'CNAME', at: '2026-01-01T11:59:30Z' },
      ...changes,
    },
  };
}

/** The claim of the project's platform hostname. */
export const platformClaim = (changes: Partial<HostnameClaim['spec']> = {}): HostnameClaim => ({
  ...claim({
    holder: { namespace: 'acme', name: 'shop' },
    proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' },
    ...changes,
  }),
  metadata: { name: 'shop.apps.example.net', uid: 'u-platform-claim', resourceVersion: '8' },
});

export const competitor = (changes: Partial<Competitor> & { createdAt?: string; held?: boolean } = {}): Competitor => {
  const { createdAt = '2026-01-01T10:00:00Z', held = false, ...rest } = changes;
  const name = rest.name ?? 'other';
  return {
    namespace: 'acme',
    name,
    hostname: 'other.example.com',
    role: 'Redirect',
    precedence: { held, provedAt: held ? createdAt : '', createdAt, key: `acme/${name}` },
    ...rest,
  };
};

export const verdict = (changes: Partial<DnsVerdict> = {}): DnsVerdict => ({
  routing: { verdict: 'yes', code: 'Verified', by: 'target' },
  ownership: { verdict: 'yes', code: 'Verified' },
  caa: { verdict: 'yes', code: 'Verified' },
  corroborated: true,
  issues: [],
  records: [],
  chain: [],
  zone: 'example.com',
  nameServers: ['ns1.dns.test', 'ns2.dns.test'],
  discovered: [],
  targetAddresses: [],
  needsToken: false,
  ...changes,
});

export const issueWith = (changes: Partial<DnsIssue> = {}): DnsIssue => ({
  ...issue('StrayAddress', { name: 'www.example.com' }),
  ...changes,
});

export const limits: Limits = defaultPlans.pro as Limits;

/** The memory of a process that has led for ever and remembers nothing. */
export const recentChecks = { since: 0, of: () => undefined };

/** A domain that is accepted, never checked, with nobody holding its name; change what the case is about. */
export function snapshot(changes: Partial<ProjectDomainSnapshot> = {}): ProjectDomainSnapshot {
  const { domain: subject = domain(), settings: given = settings, route: at } = changes;
  const classes = domainClasses(given, { permitted: [], project, route: at });
  const assessed = assessProjectDomain({ ...gathered(subject), classes, ...changes });
  const { accepted = assessed.accepted } = changes;
  return { verdict: null, probe: null, ...changes, ...assessed, accepted };
}

const gathered = (subject: ProjectDomain): GatheredProjectDomain => ({
  now,
  settings,
  domain: subject,
  account,
  limits,
  project,
  platformHostname: 'shop.apps.example.net',
  precedence: { held: false, provedAt: '', createdAt: '2026-01-01T11:59:00Z', key: 'acme/www' },
  siblings: [],
  sameHostname: [],
  claim: undefined,
  claimRelation: { kind: 'Free', epoch: 1 },
  leaving: null,
  claimAbove: undefined,
  suspendedBelow: [],
  overlaps: [],
  foreignHolder: null,
  target: 'p-mine.cname.apps.example.net',
  ownership: 'projectdomain-verify=mine',
  delegation: null,
  token: { nonce: 'nonce-of-mine', answer: 'answer-of-mine' },
  certificate: undefined,
  own: null,
  requests: [],
  orderLedger: undefined,
  ...noOrderUsage,
  route: undefined,
  destination: undefined,
  isWildcardServed: false,
  issuerAccounts: accountsWith(orderLimits),
  verify: { kind: 'none' },
  checkStatus: readCheckStatus(subject),
  leadingSince: 0,
  unansweredSince: null,
  routeLostAt: null,
  edgeSilentSince: null,
  classes: domainClasses(settings, { permitted: [], project, route: undefined }),
  formerUntil: null,
  failureCounts: { served: 1, failing: 0, namespaces: 1, failingNamespaces: 0 },
});

export const heldBy = { claim: claim(), claimRelation: { kind: 'Held', epoch: 1 } } as const;

const child = {
  namespace: 'acme',
  name: childName('www.example.com'),
  uid: 'u-child',
  ownerReferences: [{ apiVersion, kind: 'ProjectDomain', name: 'www', uid: '60000000-www', controller: true }],
};

export const certificateIn = (ready: boolean) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: child,
  spec: { secretName: child.name },
  status: {
    notBefore: '2026-01-01T00:00:00Z',
    notAfter: '2026-04-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: ready ? ('True' as const) : ('False' as const) }],
  },
});

export const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: child,
  spec: {
    rules: [{ host: 'www.example.com', http: { paths: [{ path: '/', backend: { service: { name: 'shop-web' } } }] } }],
  },
};

/** The route that an Ingress is. */
export const routeOf = (object: KubernetesObject): ObservedRoute => ({
  objects: [object],
  backend: routes.backendOf([object]),
  secretName: routes.secretOf([object]),
});

export const route = routeOf(ingress);

export const request = (
  name: string,
  conditions: readonly {
    type: string;
    status: 'True' | 'False';
    reason?: string;
    message?: string;
    lastTransitionTime?: string;
  }[] = [],
) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'CertificateRequest',
  metadata: {
    name,
    namespace: 'acme',
    uid: `u-${name}`,
    resourceVersion: '3',
    creationTimestamp: '2026-01-01T12:00:00Z',
    ownerReferences: [
      { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', name: child.name, uid: child.uid, controller: true },
    ],
  },
  spec: {
    issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'ca' },
    request: signingRequest({ names: 'DNS:www.example.com' }),
  },
  status: { conditions },
});

export const ledgerOrder = (changes: Partial<LedgerOrder> = {}): LedgerOrder => ({
  request: 'u-other',
  at: new Date(now - 60_000).toISOString(),
  account: 'acc-acme',
  hostname: 'www.example.com',
  domain: 'example.com',
  kind: 'First',
  state: 'Pending',
  ...changes,
});

const ledger = (orders: readonly LedgerOrder[]): OrderLedger => ({
  apiVersion,
  kind: 'OrderLedger',
  metadata: { name: 'ca', uid: 'u-ledger', resourceVersion: '9' },
  spec: { orders: [...orders] },
});

/** The issuer's ledger with an order for this request, granted a moment ago. */
export const granting = (given: CertificateRequest): OrderLedger =>
  ledger([ledgerOrder({ request: requestId(given), at: new Date(now).toISOString(), state: 'Granted' })]);
