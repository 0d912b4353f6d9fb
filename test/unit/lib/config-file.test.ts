import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readApiConfig } from '../../../src/api-server/config.ts';
import { ConfigError } from '../../../src/lib/config-file.ts';
import { gatewayControllers, ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { readOperatorConfig } from '../../../src/operator/config.ts';
import { readRedirectorConfig } from '../../../src/redirector/config.ts';
import { readVantageConfig } from '../../../src/vantage/config.ts';
import { apiConfig, operatorConfig, redirectorConfig, vantageConfig } from '../../support/process-configs.ts';

/** A process says all that is wrong with its configuration at once, where it stands and what is expected there. */

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-config-'));
  file = join(dir, 'config.json');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What the reader complains of, without the file's name; [] when it takes the file. */
function complaints(read: (path: string) => unknown, content: string): readonly string[] {
  writeFileSync(file, content);
  try {
    read(file);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [, text = ''] = (error as Error).message.split(`${file}: `);
    return text.split('; ');
  }
}

const operator = (changes: object) => complaints(readOperatorConfig, JSON.stringify({ ...operatorConfig, ...changes }));
const api = (changes: object) => complaints(readApiConfig, JSON.stringify({ ...apiConfig, ...changes }));

describe('a configuration with every field that it may have', () => {
  it.each<[string, (path: string) => object, object]>([
    ['of the operator', readOperatorConfig, operatorConfig],
    ['of the API server', readApiConfig, apiConfig],
    ['of the redirector', readRedirectorConfig, redirectorConfig],
    ['of the vantage point', readVantageConfig, vantageConfig],
  ])('%s is taken as it is, and cannot be changed', (_, read, config) => {
    writeFileSync(file, JSON.stringify(config));
    expect(read(file)).toEqual(config);
    expect(Object.isFrozen(read(file))).toBe(true);
  });

  it.each<[string, (path: string) => object, object]>([
    ['of the operator', readOperatorConfig, operatorConfig],
    ['of the API server', readApiConfig, apiConfig],
    ['of the redirector', readRedirectorConfig, redirectorConfig],
    ['of the vantage point', readVantageConfig, vantageConfig],
  ])('%s needs every one of them', (_, read, config) => {
    const missing = complaints(read, '{}').map((complaint) => /^(\w+) is missing: expected ./.exec(complaint)?.[1]);
    expect(missing.toSorted()).toEqual(Object.keys(config).toSorted());
  });
});

describe('what is wrong is said', () => {
  it('all at once, deep inside of it too, with its path and what is expected', () => {
    expect(
      operator({
        platformDomain: '',
        resolvers: ['127.0.0.1:53', 53],
        caDomains: [],
        orderLimits: {
          ...operatorConfig.orderLimits,
          orders: { count: 3_001, seconds: 0 },
          renewalReserve: 91,
          shares: { pro: 0 },
        },
        platformTls: 'Both',
        plans: { free: { rateLimit: { requestsPerMinute: -1 }, customDomains: [], maximum: { apiKey: 1 } } },
        sidecar: { serviceAccount: 'api' },
        requireTxt: 'no',
        metricsAddress: '9402',
        resolver: [],
      }),
    ).toEqual([
      'platformDomain is not valid: expected a non-empty string',
      'resolvers[1] is not valid: expected a non-empty string',
      'caDomains is not valid: expected a non-empty list',
      'orderLimits.orders.count is not valid: expected a whole number from 1 to 3000',
      'orderLimits.orders.seconds is not valid: expected a whole number of at least 1',
      'orderLimits.renewalReserve is not valid: expected a whole number from 0 to 90',
      'orderLimits.shares.pro is not valid: expected a whole number of at least 1',
      'platformTls is not valid: expected PerHost or Default',
      'requireTxt is not valid: expected true or false',
      'plans.free.rateLimit.requestsPerMinute is not valid: expected a whole number of at least 0',
      'plans.free.rateLimit.requestsPerDay is missing: expected a whole number of at least 0',
      'plans.free.customDomains is not valid: expected an object',
      'plans.free.maximum.apiKey is not a setting',
      'sidecar.folder is missing: expected a non-empty string',
      'metricsAddress is not valid: expected ADDR:PORT, [ADDR6]:PORT, or :PORT for every address of both families',
      'resolver is not a setting',
    ]);
  });

  it.each<[string, object, readonly string[]]>([
    ['that null would do', { kubeconfig: 7 }, ['kubeconfig is not valid: expected a non-empty string, or null']],
    [
      'that nothing runs with no replica',
      { replicas: 0 },
      ['replicas is not valid: expected a whole number of at least 1'],
    ],
    [
      'that the whole Internet is no proxy',
      { trustedProxies: ['10.0.0.0/8', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0'] },
      [1, 2, 3, 4].map(
        (index) =>
          `trustedProxies[${index}] is not valid: expected a CIDR range such as 10.0.0.0/8 or 2001:db8::/32, and not the whole Internet`,
      ),
    ],
    [
      'which Sentinel has no port',
      { redis: { ...apiConfig.redis, sentinels: ['a:26379', 'b'] } },
      [
        'redis.sentinels[1] is not valid: expected ADDR:PORT, [ADDR6]:PORT, or :PORT for every address of both families',
      ],
    ],
    ...[
      'http://domains.example.com',
      'https://domains.example.com/path',
      'https://a:b@domains.example.com',
      'https://[',
      7,
    ].map((publicUrl): [string, object, readonly string[]] => [
      `that browsers cannot have the dashboard at ${publicUrl}`,
      { publicUrl },
      ['publicUrl is not valid: expected https://HOST or https://HOST:PORT, without a path, or null'],
    ]),
    ['where a list is an object', { trustedProxies: {} }, ['trustedProxies is not valid: expected a list']],
  ])('%s', (_, changes, wanted) => {
    expect(api(changes)).toEqual(wanted);
  });

  it('without a value, which may be a secret', () => {
    const said = api({ redis: { ...apiConfig.redis, url: ['redis://app:hunter2@redis'], password: 'hunter2' } });
    expect(said).toEqual(['redis.url is not valid: expected a non-empty string', 'redis.password is not a setting']);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '{', /JSON/],
    ['a list', '[]', /not a JSON object/],
    ['nothing', 'null', /not a JSON object/],
  ])('of a file that holds %s', (_, content, wanted) => {
    expect(complaints(readRedirectorConfig, content).join()).toMatch(wanted);
  });

  it('of a file that is not there', () => {
    expect(() => readRedirectorConfig(join(dir, 'none.json'))).toThrow(ConfigError);
    expect(() => readRedirectorConfig(join(dir, 'none.json'))).toThrow(/ENOENT/);
  });
});

describe('what serves hostnames', () => {
  const probe = { address: '192.0.2.1', port: 443, httpPort: 80 };
  const edge = { class: 'default', probe, isRetired: false, addresses: [] };
  const ingress = {
    ...edge,
    kind: 'Ingress',
    className: 'traefik',
    controller: 'Traefik',
    httpsRedirect: true,
  };
  const gateway = {
    ...edge,
    class: 'gateway',
    kind: 'Gateway',
    namespace: 'edge',
    name: 'customers',
    controller: 'EnvoyGateway',
  };
  const inAll = 'classes with a name of their own each, of which one serves all hostnames';

  it.each<[sentence: string, classes: unknown, complaints: readonly string[]]>([
    ['may be an ingress controller', [ingress], []],
    ['may be a Gateway', [gateway], []],
    ['may be both', [ingress, gateway], []],
    ['may be one of which another took the place', [{ ...ingress, isRetired: true }, gateway], []],
    ['may be for those alone that choose it', [ingress, { ...gateway, addresses: ['192.0.2.2'] }], []],
    [
      'serves those that do not choose',
      [{ ...ingress, addresses: ['192.0.2.2'] }],
      [`routing.classes is not valid: expected ${inAll}`],
    ],
    ['is something', [], ['routing.classes is not valid: expected a non-empty list']],
    ['serves', [{ ...ingress, isRetired: true }], [`routing.classes is not valid: expected ${inAll}`]],
    [
      'is not two of one name',
      [ingress, { ...gateway, class: 'default' }],
      [`routing.classes is not valid: expected ${inAll}`],
    ],
    [
      'has a name that can be a part of others',
      [{ ...gateway, class: 'a.b' }],
      ['routing.classes[0].class is not valid: expected a DNS label of at most 20 characters'],
    ],
    [
      'is one of the two',
      [{ ...gateway, kind: 'Route' }],
      ['routing.classes[0].kind is not valid: expected Ingress or Gateway'],
    ],
    [
      'is not named like what every object has',
      [{ ...edge, kind: 'constructor' }],
      ['routing.classes[0].kind is not valid: expected Ingress or Gateway'],
    ],
    [
      'has its kind said',
      [{ ...edge, className: 'traefik' }],
      ['routing.classes[0].kind is missing: expected Ingress or Gateway'],
    ],
    [
      'has settings of its own kind alone',
      [{ ...gateway, httpsRedirect: true }],
      ['routing.classes[0].httpsRedirect is not a setting'],
    ],
    [
      'has all of them',
      [{ ...edge, kind: 'Gateway', name: 'customers' }],
      [
        'routing.classes[0].namespace is missing: expected a non-empty string',
        `routing.classes[0].controller is missing: expected ${Object.keys(gatewayControllers).join(' or ')}`,
      ],
    ],
    ['has its listeners where that can be chosen', [{ ...gateway, controller: 'Other', listeners: 'Gateway' }], []],
    [
      'has its listeners where its controller can have them',
      [{ ...gateway, controller: 'Traefik', listeners: 'ListenerSet' }],
      ['routing.classes is not valid: expected listeners of a Gateway where its controller can have them'],
    ],
    [
      'has a controller of its kind',
      [{ ...ingress, controller: 'EnvoyGateway' }],
      [`routing.classes[0].controller is not valid: expected ${Object.keys(ingressControllers).join(' or ')}`],
    ],
    [
      'leads to HTTPS or not, by the means of its controller',
      [{ ...ingress, httpsRedirect: 'Contour' }],
      ['routing.classes[0].httpsRedirect is not valid: expected true or false'],
    ],
    [
      'has listeners that are not named after its controller',
      [{ ...gateway, listeners: 'Contour' }],
      ['routing.classes[0].listeners is not valid: expected ListenerSet or Gateway'],
    ],
    ['is an object', ['traefik'], ['routing.classes[0] is not valid: expected an object']],
  ])('%s', (_, classes, wanted) => {
    expect(operator({ routing: { classes, wildcards: false, drainSeconds: 300 } })).toEqual(wanted);
  });
});

describe('the vantage points of a configuration', () => {
  const point = { name: 'frankfurt', url: 'https://vantage.example.net', tokenFile: '/run/token', caFile: null };
  const others = ['a', 'b', 'c', 'd'].map((name) => ({ ...point, name, url: `https://${name}.example.net:8443` }));

  it.each<[sentence: string, points: readonly object[], complaint: RegExp | null]>([
    ['may be none', [], null],
    ['may be four', others, null],
    ['are no more than four', [point, ...others], /at most 4/],
    ['have names of their own', [point, { ...point, url: 'https://b.example.net' }], /a name and a URL of its own/],
    ['are not the same place twice', [point, { ...point, name: 'b' }], /a name and a URL of its own/],
    ['are not called as the local one is', [{ ...point, name: 'here' }], /vantagePoints\[0\]\.name is not valid/],
    ['are called by a label', [{ ...point, name: 'Frankfurt, DE' }], /vantagePoints\[0\]\.name is not valid/],
    ['are asked by HTTPS alone', [{ ...point, url: 'http://b.example.net' }], /vantagePoints\[0\]\.url is not valid/],
    ['carry no password in the URL', [{ ...point, url: 'https://a:b@b.example.net' }], /url is not valid/],
    ['have no path', [{ ...point, url: 'https://b.example.net/v1' }], /url is not valid/],
  ])('%s', (_, vantagePoints, complaint) => {
    const found = operator({ vantagePoints });
    expect(found.join()).toMatch(complaint ?? /^$/);
  });
});
