import type { Values } from './values.ts';
import { base, merged, only } from './values.ts';

/** One value set to something else than its default. */
export interface Change {
  readonly path: string;
  readonly before: Values;
  readonly after: Values;
}

const resources = { requests: { cpu: '75m', memory: '200Mi' }, limits: { memory: '600Mi', cpu: 1 } };
const plan = {
  rateLimit: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000_000 },
  customDomains: { enabled: true, maxPerProject: 10_000 },
};
const standalone = { api: { standalone: true } };
const trustedProxies = ['10.244.0.0/16'];
const second = {
  class: 'second',
  gateway: { namespace: 'edge', name: 'customers' },
  controller: 'Contour',
  probe: { address: '203.0.113.20' },
  retired: true,
};
const third = {
  class: 'third',
  ingressClass: '123',
  probe: { address: '203.0.113.30' },
  controller: 'Traefik',
  httpsRedirect: false,
};
const ingress = { api: { trustedProxies, ingress: { enabled: true, host: 'api.example.net' } } };
const sentinels = { redis: { sentinels: ['redis-0.redis.data:26379', '[2001:db8::1]:26379'], masterName: 'quota' } };
const monitored = (part: string) => ({ monitoring: { [part]: { enabled: true } } });
const bounded = { networkPolicy: { apiServerRanges: ['203.0.113.7/32'] } };
const fenced = merged(bounded, { networkPolicy: { deniedRanges: ['10.244.0.0/16', 'fd00::/8'] } });
const peers = [
  {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'data' } },
    podSelector: { matchLabels: { app: 'redis' } },
  },
  { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
];
const resolving = {
  validatingResolvers: {
    enabled: true,
    image: 'registry.example.net/unbound:1.19',
    clusterIPs: ['10.96.0.201', 'fd00:10:96::202'],
  },
};
const prepared = {
  issuer: {
    challengeZone: {
      name: 'acme.example.net',
      primary: '192.0.2.53',
      servers: ['192.0.2.53'],
      tsig: { keyName: 'acme', secretName: 'tsig' },
    },
  },
};
const gateway = { ingressClass: '', gateway: { namespace: 'edge', name: 'customers' } };
const included = { redis: { included: true, url: '' } };

const vantagePoints = [
  { name: '123', url: 'https://vantage.example.net', tokenSecret: 'true' },
  { name: 'b', url: 'https://b.example.net:8443', tokenSecret: 'b', caConfigMap: 'null' },
];

/** Names that YAML would take for something else if they were not quoted. */
const odd = { number: '123', truth: 'true', nothing: 'null' } as const;

/** Every value of the chart: what it is changed to, and what has to be switched on for it to matter. */
const table: readonly (readonly [path: string, value: unknown, within?: Values])[] = [
  ['platformDomain', 'apps.example.org'],
  ['cnameDomain', 'cname.example.org'],
  ['platformAddresses', ['203.0.113.10', '2001:db8::10']],
  ['requireTxt', true],
  ['ingressClass', odd.number],
  ['gateway.namespace', odd.number, gateway],
  ['gateway.name', odd.number, gateway],
  ['gateway.listeners', 'Gateway', gateway],
  ['controller', 'Contour'],
  ['controller', 'EnvoyGateway', gateway],
  ['routing.classes', [second, third]],
  ['routing.drainSeconds', 60],
  ['wildcards', true, prepared],
  ['httpsRedirect', false],
  ['platformTls', 'PerHost'],
  ['issuer.kind', 'ClusterIssuer'],
  ['issuer.name', 'letsencrypt.production'],
  ['issuer.accountSecrets', ['projectdomain-acme-a', 'projectdomain-acme-b']],
  ['issuer.challengeZone.name', 'challenges.example.net', prepared],
  ['issuer.challengeZone.primary', '192.0.2.53:5353', prepared],
  ['issuer.challengeZone.servers', ['192.0.2.53', '[2001:db8::53]:53'], prepared],
  ['issuer.challengeZone.tsig.keyName', 'challenges', prepared],
  ['issuer.challengeZone.tsig.algorithm', 'hmac-sha512', prepared],
  ['issuer.challengeZone.tsig.secretName', odd.number, prepared],
  ['issuer.caDomains', ['letsencrypt.org', 'pki.goog']],
  ['issuer.limits.orders', { count: 30, seconds: 600 }],
  ['issuer.limits.registeredDomain', { count: 9, seconds: 3600 }],
  ['issuer.limits.exactSet', { count: 2, seconds: 86_400 }],
  ['issuer.limits.failures', { count: 1, seconds: 7200 }],
  ['issuer.limits.renewalReserve', 0],
  ['issuer.limits.platformPercent', 5],
  ['issuer.limits.shares', { pro: 3 }],
  ['probe.address', '10.0.0.5'],
  ['probe.port', 8443],
  ['probe.httpPort', 8080],
  ['probe.caConfigMap', odd.number],
  ['dns.resolvers', ['[2606:4700:4700::1111]:53']],
  ['dns.roots', ['127.0.0.1:5353']],
  ['dns.permittedRanges', ['10.0.0.0/8', 'fc00::/7']],
  ['dns.cdnRanges', ['198.18.0.0/15', '2001:db8::/32']],
  ['dns.vantagePoints', vantagePoints],
  ['dns.looksPerSecond', 200],
  ['validatingResolvers.image', 'registry.example.net/unbound:1.20', resolving],
  ['validatingResolvers.clusterIPs', ['10.96.0.203', '10.96.0.204'], resolving],
  ['validatingResolvers.resources', resources, resolving],
  ['plans', { agreed: plan }],
  ['image.repository', 'registry.example.net:5000/platform/projectdomain'],
  ['image.tag', '1.20'],
  ['image.digest', 'sha256:'.padEnd(71, '0')],
  ['image.pullPolicy', 'Always'],
  ['imagePullSecrets', [{ name: odd.number }]],
  ['logLevel', 'debug'],
  ['tracing.endpoint', 'http://collector.example.net:4318'],
  ['tracing.sampleRatio', 1, { tracing: { endpoint: 'http://collector.example.net:4318' } }],
  ['operator.replicas', 1],
  ['operator.replicas', 0],
  ['operator.workers.account', 16],
  ['operator.workers.redirectorEndpoints', 64],
  ['operator.workers.project', 32],
  ['operator.workers.projectDomain', 128],
  ['operator.workers.hostnameClaim', 32],
  ['operator.workers.acmeOrder', 8],
  ['operator.workers.apiKey', 16],
  ['operator.workers.orphan', 16],
  ['operator.resources', resources],
  ['api.standalone', true],
  ['api.autoscaling.minReplicas', 1, standalone],
  ['api.autoscaling.maxReplicas', 9, standalone],
  ['api.autoscaling.targetCPUUtilizationPercentage', 50, standalone],
  ['api.trustedProxies', ['10.244.0.0/16']],
  ['api.forwardedHeader', 'Forwarded'],
  ['api.publicUrl', 'https://domains.example.org'],
  ['api.authorize.apis', { uploads: { cost: 5 } }, { api: { trustedProxies, authorize: { from: peers } } }],
  [
    'api.authorize.from',
    peers,
    {
      api: {
        trustedProxies,
        authorize: { apis: { uploads: { cost: 5 } }, from: [{ namespaceSelector: { matchLabels: { team: 'edge' } } }] },
      },
    },
  ],
  ['api.resources', resources],
  ['api.ingress.enabled', true, { api: { trustedProxies, ingress: { host: 'api.example.net' } } }],
  ['api.ingress.className', odd.number, ingress],
  ['api.ingress.host', 'api.example.org', ingress],
  ['api.ingress.annotations', { 'example.net/limit': '10', 'example.net/on': 'true' }, ingress],
  ['api.ingress.tlsSecret', odd.truth, ingress],
  ['dashboard.name', odd.truth],
  ['dashboard.platformName', odd.number],
  ['dashboard.supportUrl', 'mailto:help@acme.example'],
  ['dashboard.upgradeUrl', 'https://acme.example/upgrade?from=domains'],
  ['dashboard.accentColour.light', '#7a1fa2', { dashboard: { accentColour: { light: '#5b2bd0', dark: '#e0b0ff' } } }],
  ['dashboard.accentColour.dark', '#e0b0ff', { dashboard: { accentColour: { light: '#7a1fa2', dark: '#c9b8ff' } } }],
  ['redirector.replicas', 3],
  ['redirector.resources', resources],
  ['redis.url', 'rediss://quota@redis.example.net:6380/2'],
  ['redis.passwordSecret.name', odd.number],
  ['redis.passwordSecret.key', odd.nothing, { redis: { passwordSecret: { name: 'redis' } } }],
  ['redis.caSecret', odd.truth, { redis: { url: 'rediss://redis.example.net' } }],
  ['redis.sentinels', ['redis-0.redis.data:26379'], { redis: { masterName: 'quota' } }],
  ['redis.cluster', ['redis-0.redis.data:6379', '[2001:db8::6]:6379']],
  ['redis.masterName', odd.number, sentinels],
  ['redis.sentinelPasswordSecret.name', odd.truth, sentinels],
  [
    'redis.sentinelPasswordSecret.key',
    odd.nothing,
    merged(sentinels, { redis: { sentinelPasswordSecret: { name: 'sentinel' } } }),
  ],
  ['redis.image', 'docker.io/library/redis@sha256:'.padEnd(95, '0'), included],
  ['redis.resources', resources, included],
  ['certManager.namespace', 'projectdomain-system'],
  ['certManager.deployment', 'certificates'],
  ['certManager.serviceAccount', 'certificates'],
  ['certManager.check', false],
  ['crds.install', false],
  ['admissionPolicy.enabled', false],
  ['admissionPolicy.exempt.byRight', false],
  ['admissionPolicy.exempt.users', ['ann@example.net']],
  ['admissionPolicy.exempt.groups', ['platform:administrators']],
  ['admissionPolicy.backupAccounts', ['system:serviceaccount:velero:velero']],
  ['admissionPolicy.guardDeletion', false],
  ['admissionPolicy.serviceAnnotations', ['example.net/owner', 'example.net/team.*', 'example.net/tier=a"b=\'c*']],
  ['admissionPolicy.loadBalancers.enabled', true],
  ['admissionPolicy.loadBalancers.classes', ['example.net/internal']],
  ['admissionPolicy.routeGroups', ['routes.example.net']],
  ['admissionPolicy.tenantGroups', ['databases.example.net']],
  ['networkPolicy.enabled', false],
  ['networkPolicy.apiServerPorts', [16443]],
  ['networkPolicy.apiServerRanges', ['203.0.113.7/32', '2001:db8::7/128']],
  ['networkPolicy.deniedRanges', ['10.244.0.0/16', 'fd00::/8'], bounded],
  ['networkPolicy.allowedPeers', peers, fenced],
  ['networkPolicy.metricsFrom', peers],
  ['networkPolicy.servedFrom', peers],
  ['monitoring.serviceMonitor.enabled', true],
  ['monitoring.serviceMonitor.labels', { release: 'prometheus' }, monitored('serviceMonitor')],
  ['monitoring.serviceMonitor.interval', '', monitored('serviceMonitor')],
  ['monitoring.prometheusRule.enabled', true],
  ['monitoring.prometheusRule.labels', { release: 'prometheus' }, monitored('prometheusRule')],
  ['monitoring.dashboard.enabled', true],
  ['monitoring.dashboard.labels', { team: '1' }, monitored('dashboard')],
  ['monitoring.runbookBaseUrl', 'https://example.net/runbook', monitored('prometheusRule')],
  ['uninstall.keepRoutes', true],
  ['nodeSelector', { 'kubernetes.io/os': 'linux', spare: 'true' }],
  ['tolerations', [{ key: 'spare', operator: 'Exists', effect: 'NoSchedule' }]],
  ['priorityClassName', odd.number],
];

export const changes: readonly Change[] = [
  ...table.map(([path, value, within = {}]) => {
    const before = merged(base, within);
    return { path, before, after: merged(before, only(path, value)) };
  }),
  { path: 'redis.included', before: base, after: merged(base, included) },
  { path: 'validatingResolvers.enabled', before: base, after: merged(base, resolving) },
];

/** What goes together, beside each change alone. */
const together: readonly (readonly [string, Values])[] = [
  ['the least that has to be said', base],
  ['the included Redis beside a standalone API', merged(base, included, standalone)],
  [
    'the included Redis with a password of your own',
    merged(base, included, { redis: { passwordSecret: { name: 'own' } } }),
  ],
  [
    'the operator kept from ranges of the cluster, with the included Redis',
    merged(base, included, fenced, { networkPolicy: { allowedPeers: peers, metricsFrom: peers } }),
  ],
  ['resolvers of its own, with the operator kept from ranges of the cluster', merged(base, resolving, fenced)],
  [
    'a standalone API with password and CA of Redis',
    {
      ...merged(base, standalone, {
        redis: { url: 'rediss://quota@redis.example.net', passwordSecret: { name: 'redis' }, caSecret: 'redis-ca' },
      }),
    },
  ],
  [
    'all monitoring of a standalone API',
    merged(base, standalone, monitored('serviceMonitor'), monitored('prometheusRule'), monitored('dashboard')),
  ],
  [
    'routes kept, nothing bounded, nothing watched over',
    merged(base, {
      uninstall: { keepRoutes: true },
      networkPolicy: { enabled: false },
      admissionPolicy: { enabled: false },
      certManager: { check: false },
      crds: { install: false },
    }),
  ],
  [
    'everything that places Pods, with every component',
    merged(base, included, standalone, {
      nodeSelector: { spare: 'true' },
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'system-cluster-critical',
      imagePullSecrets: [{ name: 'registry' }],
      probe: { caConfigMap: 'staging' },
    }),
  ],
];

/** Every rendering that is looked at, by what makes it different. */
export const renderings: readonly (readonly [string, Values])[] = [
  ...together,
  ...changes.map(({ path, after }) => [`${path} changed`, after] as const),
];
