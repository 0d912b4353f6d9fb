import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { chartFolder, leastValues, runHelm } from '../../../dev/platform/chart.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { gatewayControllers, ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { changes } from './changes.ts';
import { render } from './rendering.ts';
import type { Values } from './values.ts';
import { base, defaults, isMap, leavesOf, merged, only, schema, valueAt } from './values.ts';
import { valuesReadBy } from './template-values.ts';

/** values.yaml, its schema, its README and the templates tell of the same values, and each value does something. */

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

const leaves = leavesOf(schema);
const paths = leaves.map(({ path }) => path);
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

/** The paths of a map, as deep as leaves of the schema are. */
function pathsIn(values: Values, above = ''): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = above === '' ? name : `${above}.${name}`;
    return isMap(value) && !paths.includes(path) ? pathsIn(value, path) : [path];
  });
}

describe('values.yaml', () => {
  it('says a default for every value that the schema knows, and knows no other', () => {
    expect(sorted(pathsIn(defaults))).toEqual(sorted(paths));
  });

  it('has values that the templates read, and the templates read no others', () => {
    const read = [...valuesReadBy(join(chartFolder, 'templates'))];
    const known = (path: string) => paths.some((leaf) => leaf === path || leaf.startsWith(`${path}.`));
    expect(read.filter((path) => !known(path))).toEqual([]);
    expect(paths.filter((leaf) => !read.some((path) => leaf === path || leaf.startsWith(`${path}.`)))).toEqual([]);
  });

  it('is changed value by value in these tests', () => {
    expect(sorted(changes.map(({ path }) => path))).toEqual(sorted(paths));
  });
});

describe('the schema', () => {
  it('describes every value', () => {
    expect(leaves.filter(({ description }) => !/^[A-Z`].*\.$/s.test(description))).toEqual([]);
  });

  it('leaves no map open, but for what an umbrella chart says', () => {
    expect(openMaps(schema as Values, '')).toEqual(['properties.global']);
  });

  function openMaps(node: Values, path: string): readonly string[] {
    const inner = Object.entries(node).flatMap(([name, part]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [part]
        .flat()
        .filter(isMap)
        .flatMap((item) => openMaps(item, at));
    });
    return node.type === 'object' && node.additionalProperties !== false ? [...inner, path] : inner;
  }
});

describe('README.md', () => {
  const rows = readFileSync(join(chartFolder, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| (.*?) \| (.*) \|$/gm);
  const told = [...rows].map(([, path = '', value = '', text = '']) => ({ path, value, text }));

  it('has a row for every value with its default and meaning, and no other row', () => {
    const expected = leaves.map(({ path, description }) => ({
      path,
      value: shown(valueAt(defaults, path)),
      text: description,
    }));
    expect(told).toEqual(expected);
  });

  /** A default that does not fit into a table is told by its names. */
  function shown(value: unknown): string {
    const text = JSON.stringify(value);
    return text.length > 100 && isMap(value)
      ? Object.keys(value)
          .map((name) => `\`${name}\``)
          .join(', ')
      : `\`${text}\``;
  }
});

const second = {
  class: 'gateway',
  gateway: { namespace: 'edge', name: 'customers' },
  probe: { address: '203.0.113.20' },
};
const beside = (...classes: readonly object[]) => ({ routing: { classes } });
const gateway = { ingressClass: '', gateway: { namespace: 'edge', name: 'customers' } };

const sortedNames = (controllers: object): string => Object.keys(controllers).toSorted().join(', ');

describe('helm', () => {
  it.each([
    ['nothing said', {}],
    ['the least said', leastValues],
  ])('lints the chart without a warning, with %s', async (_, values) => {
    const said = await runHelm(helm, ['lint', '--strict', chartFolder], values);
    expect(said).not.toMatch(/\[(WARNING|ERROR)\]/);
    expect(said).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  it('is told in one sentence of everything that is missing', async () => {
    const said = await render(helm, {}).then(() => '', String);
    for (const name of ['platformDomain', 'ingressClass', 'issuer.name', 'platformAddresses', 'redis.url'])
      expect(said).toContain(`\n  - ${name}`);
    expect(said.match(/Please set:/g)).toHaveLength(1);
  });

  it.each<[string, Values]>([
    [
      'validatingResolvers.image',
      { validatingResolvers: { enabled: true, clusterIPs: ['10.96.0.201', '10.96.0.202'] } },
    ],
    [
      'validatingResolvers.clusterIPs',
      { validatingResolvers: { enabled: true, image: 'unbound', clusterIPs: ['10.96.0.201'] } },
    ],
    ['dashboard.accentColour', { dashboard: { accentColour: { light: '#7a1fa2' } } }],
    ['redis.url and redis.included exclude each other', { redis: { included: true } }],
    ['networkPolicy.apiServerRanges', { networkPolicy: { deniedRanges: ['10.0.0.0/8'] } }],
    ['api.ingress.host', { api: { ingress: { enabled: true } } }],
    ['api.trustedProxies', { api: { ingress: { enabled: true, host: 'api.example.net' } } }],
    ['api.trustedProxies', { api: { authorize: { apis: { uploads: { cost: 5 } } } } }],
    [
      'api.authorize.from',
      { api: { trustedProxies: ['10.244.0.0/16'], authorize: { apis: { uploads: { cost: 5 } } } } },
    ],
    ['ingressClass and gateway.name exclude each other', { gateway: { namespace: 'edge', name: 'customers' } }],
    ['gateway.namespace', { ingressClass: '', gateway: { name: 'customers' } }],
    ['issuer.kind=AcmeIssuer', { ...gateway, issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' } }],
    ['wildcards=false, as class default serves none: its controller is Other', { ...gateway, wildcards: true }],
    ['wildcards=false, as class gateway serves none: its controller is Other', { ...beside(second), wildcards: true }],
    [
      'wildcards=false, as class default serves none: its controller is Contour',
      { controller: 'Contour', wildcards: true },
    ],
    ['issuer.challengeZone, as wildcards=true', { wildcards: true }],
    [
      `controller of class default: ${sortedNames(ingressControllers)}, as EnvoyGateway is no controller of Ingresses`,
      { controller: 'EnvoyGateway' },
    ],
    [
      `controller of class gateway: ${sortedNames(gatewayControllers)}, as HAProxy is no controller of a Gateway`,
      beside({ ...second, controller: 'HAProxy' }),
    ],
    [
      'gateway.listeners of class default: Gateway, as Traefik has them nowhere else',
      { ...gateway, gateway: { ...gateway.gateway, listeners: 'ListenerSet' }, controller: 'Traefik' },
    ],
    ['issuer.kind=AcmeIssuer', { ...beside(second), issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' } }],
    ['routing.classes: a name of its own for each class, as default is there', beside({ ...second, class: 'default' })],
    ['routing.classes: a name of its own for each class, as gateway is there', beside(second, second)],
    ['routing.classes: one that is not retired', { ...beside({ ...second, retired: true }), ingressClass: '' }],
    ['httpsRedirect=true, as gateway.name is set', { ...gateway, httpsRedirect: false }],
    [
      'api.ingress.className',
      { ...gateway, api: { trustedProxies: ['10.244.0.0/16'], ingress: { enabled: true, host: 'api.example.net' } } },
    ],
    ['redis.masterName', { redis: { sentinels: ['redis-0.redis.data:26379'] } }],
    [
      'redis.sentinels and redis.included exclude each other',
      { redis: { url: '', included: true, sentinels: ['redis-0.redis.data:26379'], masterName: 'quota' } },
    ],
    [
      'redis.cluster, redis.sentinels and redis.included exclude each other',
      { redis: { cluster: ['redis-0.redis.data:6379'], sentinels: ['redis-0.redis.data:26379'], masterName: 'quota' } },
    ],
    ['api.autoscaling.minReplicas', { api: { standalone: true, autoscaling: { minReplicas: 7 } } }],
  ])('is told of values that do not go together: %s', async (sentence, values) => {
    await expect(render(helm, merged(base, values))).rejects.toThrow(`\n  - ${sentence}`);
  });

  it.each<[string, Values]>([
    ['controller=Traefik and wildcards=true in place of wildcards=Traefik', { wildcards: 'Traefik' }],
    [
      'controller=EnvoyGateway and wildcards=true in place of wildcards=EnvoyGateway',
      { ...gateway, wildcards: 'EnvoyGateway' },
    ],
    ['controller=Contour in place of websockets=Contour', { websockets: 'Contour' }],
    ['controller=Contour in place of httpsRedirect=Contour', { httpsRedirect: 'Contour' }],
    ['controller=Traefik in place of httpsRedirect=Traefik', { httpsRedirect: 'Traefik' }],
    ['httpsRedirect=false in place of httpsRedirect=None', { httpsRedirect: 'None' }],
    ["nothing for websockets in place of websockets=''", { websockets: '' }],
    ["nothing for wildcards in place of wildcards=''", { wildcards: '' }],
    [
      'controller=Contour in place of gateway.listeners=Contour',
      merged(gateway, { gateway: { listeners: 'Contour' } }),
    ],
    [
      'controller=EnvoyGateway in place of wildcards=EnvoyGateway of class gateway',
      beside({ ...second, wildcards: 'EnvoyGateway' }),
    ],
    [
      'controller=Contour in place of gateway.listeners=Contour of class gateway',
      beside({ ...second, gateway: { ...second.gateway, listeners: 'Contour' } }),
    ],
    [
      'controller=Contour in place of websockets=Contour of class old',
      beside({ ...{ class: 'old', ingressClass: 'old', probe: second.probe }, websockets: 'Contour' }),
    ],
    [
      'controller=Traefik in place of httpsRedirect=Traefik of class old',
      beside({ ...{ class: 'old', ingressClass: 'old', probe: second.probe }, httpsRedirect: 'Traefik' }),
    ],
  ])('is told of what a former value is now, and of that alone: %s', async (sentence, values) => {
    const said = await render(helm, merged(base, values)).then(() => '', String);
    expect(said).toContain(`Please set (docs/upgrade.md):\n  - ${sentence}\n`);
    expect(said.match(/\n {2}- /g)).toHaveLength(1);
  });

  it('takes what an umbrella chart says to all of its parts', async () => {
    expect((await render(helm, merged(base, { global: { region: 'north' } }))).length).toBeGreaterThan(0);
  });
});

const vantagePoint = { name: 'b', url: 'https://b.example.net', tokenSecret: 'b' };
const resolvers = (third: string) => ['1.1.1.1:53', '8.8.8.8:53', third];

/** A value that helm must refuse, and how its complaint names it where that is not the value's own place. */
type Wrong = readonly [path: string, value: unknown, named?: string];

const wrongValues: readonly Wrong[] = [
  ['platformDomain', 'Apps.Example.net'],
  ['platformDomain', '*.apps.example.net'],
  ['platformDomain', 'apps.example.net.'],
  ['platformDomain', 'localhost'],
  ['platformDomain', '203.0.113.10'],
  ['cnameDomain', 'https://cname.example.net'],
  ['platformAddresses', '203.0.113.10'],
  ['platformAddresses', ['ingress.example.net'], 'platformAddresses.0'],
  ['platformAddresses', ['203.0.113.256'], 'platformAddresses.0'],
  ['platformAddresses', ['2001:DB8::1'], 'platformAddresses.0'],
  ['requireTxt', 'yes'],
  ['image.digest', 'latest'],
  ['image.digest', 'sha256:abc'],
  ['logLevel', 'verbose'],
  ['tracing.endpoint', 'collector:4318'],
  ['tracing.sampleRatio', 1.5],
  ['operator.workers.projectDomain', 0],
  ['operator.workers.projectDomain', 513],
  ['dns.looksPerSecond', 0],
  ['admissionPolicy.exempt.byRight', 'no'],
  ['admissionPolicy.exempt.users', ['ann"]) || true'], 'admissionPolicy.exempt.users.0'],
  ['admissionPolicy.backupAccounts', [''], 'admissionPolicy.backupAccounts.0'],
  ['admissionPolicy.guardDeletion', 1],
  ['admissionPolicy.exempt.groups', ['system:serviceaccounts:kube-system'], 'admissionPolicy.exempt.groups.0'],
  ['admissionPolicy.exempt.groups', ['system:authenticated'], 'admissionPolicy.exempt.groups.0'],
  ['admissionPolicy.serviceAnnotations', ['*'], 'admissionPolicy.serviceAnnotations.0'],
  ['admissionPolicy.serviceAnnotations', ['example.net/*'], 'admissionPolicy.serviceAnnotations.0'],
  ['admissionPolicy.serviceAnnotations', ['Example.net/owner'], 'admissionPolicy.serviceAnnotations.0'],
  ['admissionPolicy.loadBalancers.enabled', 'yes'],
  ['admissionPolicy.loadBalancers.classes', ['a b'], 'admissionPolicy.loadBalancers.classes.0'],
  ['admissionPolicy.routeGroups', ['*'], 'admissionPolicy.routeGroups.0'],
  ['admissionPolicy.tenantGroups', ['*'], 'admissionPolicy.tenantGroups.0'],
  ['networkPolicy.servedFrom', [{}], 'networkPolicy.servedFrom.0'],
  ['networkPolicy.apiServerRanges', ['203.0.113.7'], 'networkPolicy.apiServerRanges.0'],
  ['networkPolicy.deniedRanges', ['10.0.0.0/33'], 'networkPolicy.deniedRanges.0'],
  ['networkPolicy.metricsFrom', [{}], 'networkPolicy.metricsFrom.0'],
  ['networkPolicy.allowedPeers', [{ pods: {} }], 'networkPolicy.allowedPeers.0'],
  ['ingressClass', 'My Class'],
  ['platformTls', 'perhost'],
  ['wildcards', 'Contour'],
  ['websockets', true],
  ['httpsRedirect', 'HAProxy'],
  ['controller', 'traefik'],
  ['routing.classes', [{ ...second, class: 'my.class' }], 'routing.classes.0.class'],
  ['routing.classes', [{ ...second, ingressClass: 'nginx' }], 'routing.classes.0'],
  ['routing.classes', [{ ...second, wildcards: true }], 'routing.classes.0.wildcards'],
  ['routing.classes', [{ ...second, httpsRedirect: false }], 'routing.classes.0'],
  ['routing.classes', [{ ...second, controller: 'nginx' }], 'routing.classes.0.controller'],
  ['routing.classes', [{ class: 'gateway', probe: second.probe }], 'routing.classes.0'],
  ['routing.classes', [{ ...second, probe: { address: 'edge.example.net' } }], 'routing.classes.0.probe.address'],
  ['gateway.listeners', 'Gateways'],
  [
    'routing.classes',
    [{ ...second, gateway: { ...second.gateway, listeners: 'None' } }],
    'routing.classes.0.gateway.listeners',
  ],
  ['issuer.name', 'ClusterIssuer/pebble'],
  ['issuer.caDomains', []],
  ['issuer.kind', 'Issuer'],
  ['issuer.accountSecrets', ['projectdomain-hmac'], 'issuer.accountSecrets.0'],
  ['probe.httpPort', 0],
  ['probe.address', 'ingress.example.net'],
  ['probe.port', 0],
  ['probe.port', 65536],
  ['probe.port', '443'],
  ['probe.caConfigMap', 'Staging'],
  ['dns.resolvers', []],
  ['dns.resolvers', resolvers('9.9.9.9'), 'dns.resolvers.2'],
  ['dns.resolvers', resolvers('9.9.9.9:99999'), 'dns.resolvers.2'],
  ['dns.resolvers', resolvers('dns.example.net:53'), 'dns.resolvers.2'],
  ['dns.resolvers', resolvers('2606:4700::1111'), 'dns.resolvers.2'],
  ['dns.roots', ['a.root-servers.net'], 'dns.roots.0'],
  ['dns.permittedRanges', ['10.0.0.0'], 'dns.permittedRanges.0'],
  ['dns.vantagePoints', [{ name: 'b', url: 'https://b.example.net' }], 'dns.vantagePoints.0'],
  ['dns.vantagePoints', [{ ...vantagePoint, url: 'http://b.example.net' }], 'dns.vantagePoints.0.url'],
  ['dns.vantagePoints', [{ ...vantagePoint, name: 'here' }], 'dns.vantagePoints.0.name'],
  ['dns.permittedRanges', ['10.0.0.0/33'], 'dns.permittedRanges.0'],
  ['dns.permittedRanges', ['fc00::/129'], 'dns.permittedRanges.0'],
  ['dns.cdnRanges', ['10.0.0.0/33'], 'dns.cdnRanges.0'],
  ['plans.pro.rateLimit.requestsPerMinute', 0],
  ['plans.pro.rateLimit.requestsPerDay', 1_000_000_001],
  ['plans.pro.rateLimit.requestsPerHour', 1, 'plans.pro.rateLimit'],
  ['plans.pro.customDomains.maxPerProject', -1],
  ['plans.pro.customDomains.enabled', 'true'],
  ['plans.pro.maximum.projects', -1],
  ['plans.pro.maximum.domains', 100_001],
  ['plans.pro.maximum.sessions', 1, 'plans.pro.maximum'],
  ['plans.Gold', {}, 'plans'],
  ['plans.gold', { rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 } }],
  ['image.repository', 'ghcr.io/projectdomain:1.0'],
  ['image.tag', ':1.0'],
  ['image.pullPolicy', 'Sometimes'],
  ['imagePullSecrets', ['registry'], 'imagePullSecrets.0'],
  ['operator.replicas', -1],
  ['operator.replicas', 1.5],
  ['operator.replicaCount', 2, 'operator'],
  ['operator.resources.requests', { cpu: '50 m', memory: '160Mi' }, 'operator.resources.requests.cpu'],
  ['operator.resources.limits', { memory: '512MB' }, 'operator.resources.limits.memory'],
  ['operator.resources.limits.memory', null, 'operator.resources.limits'],
  ['api.standalone', 1],
  ['api.autoscaling.minReplicas', 0],
  ['api.autoscaling.maxReplicas', 0],
  ['api.autoscaling.targetCPUUtilizationPercentage', 0],
  ['api.trustedProxies', ['10.244.0.1'], 'api.trustedProxies.0'],
  ['api.forwardedHeader', 'X-Real-IP'],
  ['api.publicUrl', 'http://domains.example.net'],
  ['api.publicUrl', 'https://domains.example.net/dashboard'],
  ['api.authorize.apis', { Uploads: { cost: 1 } }],
  ['api.authorize.apis', { uploads: { cost: 0 } }, 'api.authorize.apis.uploads.cost'],
  ['api.ingress.enabled', 'true'],
  ['api.ingress.className', 'a/b'],
  ['api.ingress.host', 'https://api.example.net'],
  ['api.ingress.annotations', { 'example.net/on': true }, 'api.ingress.annotations.example|net~1on'],
  ['api.ingress.tlsSecret', '-'],
  ['dashboard.name', ''],
  ['dashboard.name', 'x'.repeat(41)],
  ['dashboard.platformName', 'x'.repeat(41)],
  ['dashboard.supportUrl', 'help@acme.example'],
  ['dashboard.supportUrl', 'javascript:alert(1)'],
  ['dashboard.upgradeUrl', 'http://acme.example'],
  ['dashboard.upgradeUrl', 'https://user:password@acme.example'],
  ['dashboard.accentColour.light', 'purple'],
  ['dashboard.accentColour.dark', '#fff'],
  ['redirector.replicas', 0],
  ['redis.url', 'redis.data:6379'],
  ['redis.url', 'redis://user:password@redis.data:6379'],
  ['redis.url', 'https://redis.data'],
  ['redis.passwordSecret.name', 'A'],
  ['redis.passwordSecret.key', 'a/b'],
  ['redis.sentinels', ['redis-0.redis.data'], 'redis.sentinels.0'],
  ['redis.sentinels', ['redis://redis-0:26379'], 'redis.sentinels.0'],
  ['redis.cluster', ['redis-0.redis.data'], 'redis.cluster.0'],
  ['redis.masterName', 'the primary'],
  ['redis.sentinelPasswordSecret.name', 'A'],
  ['redis.sentinelPasswordSecret.key', 'a/b'],
  ['redis.caSecret', 'a b'],
  ['redis.included', 'no'],
  ['redis.image', 'valkey:latest:1'],
  ['validatingResolvers.enabled', 'yes'],
  ['validatingResolvers.image', 'unbound:latest:1'],
  ['validatingResolvers.clusterIPs', ['10.96.0.201:53'], 'validatingResolvers.clusterIPs.0'],
  ['certManager.namespace', 'cert.manager'],
  ['certManager.deployment', ''],
  ['certManager.serviceAccount', "x','system:admin"],
  ['crds.install', 'yes'],
  ['admissionPolicy.enabled', 0],
  ['networkPolicy.apiServerPorts', []],
  ['networkPolicy.apiServerPorts', ['https'], 'networkPolicy.apiServerPorts.0'],
  ['monitoring.serviceMonitor.interval', '30'],
  ['monitoring.serviceMonitor.labels', { release: 1 }, 'monitoring.serviceMonitor.labels.release'],
  ['monitoring.prometheusRule.labels', { release: 'a b' }, 'monitoring.prometheusRule.labels.release'],
  ['monitoring.dashboard.enabled', 'true'],
  ['monitoring.runbookBaseUrl', 'docs/runbook.md'],
  ['uninstall.keepRoutes', 'true'],
  ['nodeSelector', { spare: true }, 'nodeSelector.spare'],
  ['tolerations', [{ key: 'spare', effect: 'Never' }], 'tolerations.0.effect'],
  ['priorityClassName', 'High'],
];

describe('a wrong value is refused by name', () => {
  const complaints = new Map<Wrong, string>();

  /** Helm names everything that is wrong at once, so values that do not touch each other are tried together. */
  beforeAll(async () => {
    for (const round of rounds()) {
      const values = round.reduce((all, [path, value]) => merged(all, only(path, value)), base);
      const said = await render(helm, values).then(() => '', String);
      expect(said).toContain("values don't meet the specifications of the schema");
      for (const wrong of round) complaints.set(wrong, said);
    }
  });

  function rounds(): readonly (readonly Wrong[])[] {
    const found: Wrong[][] = [];
    for (const wrong of wrongValues) {
      const free = found.find((round) => !round.some(([other]) => touches(other, wrong[0])));
      if (free === undefined) found.push([wrong]);
      else free.push(wrong);
    }
    return found;
  }

  const touches = (one: string, other: string) =>
    `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);

  it.each(wrongValues.map((wrong) => [wrong[0], wrong[1], wrong] as const))('%s = %j', (path, _, wrong) => {
    const [, , named = path] = wrong;
    expect(complaints.get(wrong)).toContain(`at '/${named.replaceAll('.', '/').replaceAll('|', '.')}': `);
  });

  it('a value that nobody knows', async () => {
    const said = await render(helm, merged(base, { replicas: 2 })).then(() => '', String);
    expect(said).toContain("additional properties 'replicas' not allowed");
  });
});
