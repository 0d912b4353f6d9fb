import type { ApiConfig } from '../../src/api-server/config.ts';
import type { OperatorConfig } from '../../src/operator/config.ts';
import type { VantageConfig } from '../../src/vantage/config.ts';
import type { RedirectorConfig } from '../../src/redirector/config.ts';

/** Configurations of the processes, each with every field that it may have. */

const limit = (count: number, seconds: number) => ({ count, seconds });

export const operatorConfig: OperatorConfig = {
  kubeconfig: null,
  platformDomain: 'apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformAddresses: ['192.0.2.1'],
  roots: [],
  resolvers: ['127.0.0.1:53'],
  permittedRanges: [],
  vantagePoints: [],
  cdnRanges: [],
  issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' },
  challengeZone: null,
  caDomains: ['letsencrypt.org'],
  orderLimits: {
    orders: limit(300, 10_800),
    registeredDomain: limit(50, 604_800),
    exactSet: limit(5, 604_800),
    failures: limit(5, 3_600),
    renewalReserve: 20,
    platformPercent: 10,
    shares: { pro: 1, business: 4 },
  },
  routing: {
    classes: [
      {
        class: 'default',
        kind: 'Ingress',
        className: 'traefik',
        controller: 'Traefik',
        httpsRedirect: true,
        probe: { address: '192.0.2.1', port: 443, httpPort: 80 },
        isRetired: false,
        addresses: [],
      },
    ],
    wildcards: false,
    drainSeconds: 300,
  },
  platformTls: 'Default',
  probe: { caFile: null },
  systemNamespace: 'projectdomain-system',
  requireTxt: false,
  plans: {
    free: {
      rateLimit: { requestsPerMinute: 60, requestsPerDay: 1_000 },
      customDomains: { enabled: false, maxPerProject: 0 },
      maximum: { projects: 5, apiKeys: 5 },
    },
  },
  certManager: null,
  sidecar: null,
  workers: {
    account: 8,
    redirectorEndpoints: 32,
    project: 16,
    projectDomain: 64,
    hostnameClaim: 16,
    acmeOrder: 32,
    apiKey: 8,
    orphan: 8,
  },
  looksPerSecond: 50,
  metricsAddress: ':9402',
};

export const apiConfig: ApiConfig = {
  kubeconfig: null,
  platformDomain: 'apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformAddresses: ['192.0.2.1'],
  roots: [],
  resolvers: ['127.0.0.1:53'],
  permittedRanges: [],
  cdnRanges: [],
  issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' },
  challengeZone: null,
  wildcards: false,
  caDomains: ['letsencrypt.org'],
  requireTxt: false,
  hmacFile: '/run/hmac.key',
  redis: {
    url: 'redis://127.0.0.1:6379',
    passwordFile: null,
    caFile: null,
    sentinels: ['redis-0:26379'],
    name: 'quota',
    sentinelPasswordFile: null,
    cluster: [],
  },
  looksPerSecond: 50,
  replicas: 2,
  listen: ':8080',
  metricsAddress: ':9403',
  authorize: { listen: ':8081', apis: { uploads: { cost: 5 } } },
  trustedProxies: ['10.0.0.0/8', '2001:db8::/32'],
  forwardedHeader: 'X-Forwarded-For',
  publicUrl: 'https://domains.acme.example',
  dashboard: {
    name: 'Acme domains',
    supportUrl: 'mailto:help@acme.example',
    upgradeUrl: 'https://acme.example/upgrade',
    platformName: 'Acme',
    accentColour: { light: '#7a1fa2', dark: '#e0b0ff' },
  },
  lingerMs: 5_000,
};

export const redirectorConfig: RedirectorConfig = {
  kubeconfig: null,
  listen: ':8081',
  metricsAddress: ':9404',
  systemNamespace: 'projectdomain-system',
  lingerMs: 5_000,
  lingerAtMostMs: 60_000,
};

export const vantageConfig: VantageConfig = {
  listen: ':8443',
  metricsAddress: ':9405',
  tokenFile: '/run/token',
  tls: { certFile: '/run/tls.crt', keyFile: '/run/tls.key' },
  roots: [],
  resolvers: ['127.0.0.1:53'],
  permittedRanges: [],
  concurrentChecks: 64,
  lingerMs: 5_000,
};
