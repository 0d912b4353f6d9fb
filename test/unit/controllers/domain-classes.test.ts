import { describe, expect, it } from '@jest/globals';
import type { DomainClasses } from '../../../src/controllers/project-domain/domain-classes.ts';
import {
  domainClasses,
  formerClasses,
  formerUntilOf,
  servingClasses,
} from '../../../src/controllers/project-domain/domain-classes.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ObservedRoute } from '../../../src/routing/route-port.ts';
import { now, project, settings as usual, verdict as usualVerdict } from '../../support/snapshot.ts';

/** By which edges a domain is served while its project moves between them: nobody who is still led to the former one may fail. */

const [commonAddress, goldAddress, silverAddress] = ['203.0.113.10', '203.0.113.50', '203.0.113.60'];
const drainMs = 60_000;

/** A route's objects are named after their classes here. */
const settings = {
  ...usual,
  drainMs,
  platformAddresses: [commonAddress],
  routingClasses: {
    common: ['default'],
    chosen: new Map([
      ['gold', [goldAddress]],
      ['silver', [silverAddress]],
    ]),
    ofObjects: (objects: ObservedRoute['objects']) => objects.map(({ metadata }) => metadata.name),
  },
};
const routeBy = (...classes: readonly string[]): ObservedRoute => ({
  objects: classes.map((name) => ({ apiVersion: 'v1', kind: 'Route', metadata: { name } })),
  backend: 'web',
  secretName: 'certificate',
});
const classesOf = (named: string | undefined, route: ObservedRoute | undefined): DomainClasses =>
  domainClasses(settings, {
    permitted: ['default', 'gold'],
    project: { spec: { ...project.spec, ...(named === undefined ? {} : { routingClass: named }) } },
    route,
  });

const ttl = 300;
const address = (value: string) => ({ name: 'www.example.com', type: 'A', ttl, value }) as const;
const leading = (by: DnsVerdict['routing']['by'], ...addresses: readonly string[]): DnsVerdict => ({
  ...usualVerdict(),
  routing: { verdict: 'yes', code: 'Verified', by },
  discovered: addresses.map(address),
  targetAddresses: addresses,
  chain: [{ name: 'www.example.com', ttl }],
});

const drained = now + ttl * 1_000 + drainMs;

describe('a domain is served', () => {
  it.each<
    [
      sentence: string,
      scene: {
        named?: string;
        route?: ObservedRoute;
        verdict?: DnsVerdict;
        formerUntil?: number;
        openClasses?: string[];
      },
      wanted: { classes: readonly string[]; formerUntil: number | null },
    ]
  >([
    ['by the common class, if nothing is chosen', {}, { classes: ['default'], formerUntil: null }],
    ['by the class that is chosen', { named: 'gold' }, { classes: ['gold'], formerUntil: null }],
    [
      'by the common class too, while its target leads there, so that a new one works at once',
      { named: 'gold', verdict: leading('target', commonAddress) },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by the common class too, at whatever address of its load balancer',
      { named: 'gold', verdict: leading('target', '198.51.100.77') },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its class alone, once its target leads there',
      { named: 'gold', verdict: leading('target', goldAddress) },
      { classes: ['gold'], formerUntil: null },
    ],
    [
      'by the common class too behind a CDN, whose origin is the target',
      { named: 'gold', verdict: leading('token', commonAddress) },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its former class, while nobody has looked where DNS points',
      { named: 'gold', route: routeBy('default', 'gold') },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its former class, while its own address record leads there',
      {
        named: 'gold',
        route: routeBy('default', 'gold'),
        verdict: leading('addresses', commonAddress),
        formerUntil: 1,
      },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its former class, as long as caches may lead there, and connections end',
      { named: 'gold', route: routeBy('default', 'gold'), verdict: leading('target', goldAddress) },
      { classes: ['gold', 'default'], formerUntil: drained },
    ],
    [
      'by its former class until the time that was found first, however often it is looked at',
      {
        named: 'gold',
        route: routeBy('default', 'gold'),
        verdict: leading('target', goldAddress),
        formerUntil: now + 1,
      },
      { classes: ['gold', 'default'], formerUntil: now + 1 },
    ],
    [
      'no more by its former class then',
      { named: 'gold', route: routeBy('default', 'gold'), formerUntil: now },
      { classes: ['gold'], formerUntil: now },
    ],
    [
      'by its former class behind a CDN, as nobody sees where its origin leads',
      { named: 'gold', route: routeBy('default', 'gold'), verdict: leading('token', goldAddress) },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its former class, while the addresses of its target are not known',
      { named: 'gold', route: routeBy('default', 'gold'), verdict: leading('target'), formerUntil: 1 },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'by its former class, while one of two answers leads there',
      { named: 'gold', route: routeBy('default', 'gold'), verdict: leading('target', goldAddress, commonAddress) },
      { classes: ['gold', 'default'], formerUntil: null },
    ],
    [
      'on the way back by the class that it had chosen, too',
      { route: routeBy('gold', 'default'), verdict: leading('target', goldAddress) },
      { classes: ['default', 'gold'], formerUntil: null },
    ],
    [
      'by its former class alone, while others can attach to the Gateway of the wanted one',
      { named: 'gold', route: routeBy('default'), openClasses: ['gold'] },
      { classes: ['default'], formerUntil: null },
    ],
    [
      'by a class on whose Gateway it stands already, whoever can attach to that',
      { named: 'gold', route: routeBy('gold'), openClasses: ['gold'] },
      { classes: ['gold'], formerUntil: null },
    ],
    [
      'by no class that is not its own, wherever its records lead',
      { verdict: leading('addresses', silverAddress, goldAddress) },
      { classes: ['default'], formerUntil: null },
    ],
  ])('%s', (_, { named, route, verdict = null, formerUntil = null, openClasses = [] }, wanted) => {
    const classes = classesOf(named, route);
    expect(servingClasses({ now, settings, classes, formerUntil, verdict, openClasses })).toEqual(wanted);
  });
});

describe('the end of former classes', () => {
  it('is forgotten with another choice: on the way back they are others, to which DNS may still point', () => {
    const there = classesOf('gold', routeBy('default', 'gold'));
    const back = classesOf('default', routeBy('default', 'gold'));
    const former = formerClasses({ classes: [], formerUntil: now }, there);
    expect([formerUntilOf(former, there), formerUntilOf(former, back), formerUntilOf(null, there)]).toEqual([
      now,
      null,
      null,
    ]);
    expect(formerClasses({ classes: [], formerUntil: null }, there)).toBeNull();
  });
});

describe('where a domain may lead', () => {
  it.each<
    [sentence: string, named: string | undefined, route: ObservedRoute | undefined, wanted: Partial<DomainClasses>]
  >([
    ['is any address of the platform', undefined, undefined, { addresses: [commonAddress], isChoice: false }],
    [
      'is its class, and the common ones; its class is told',
      'gold',
      undefined,
      { addresses: [commonAddress, goldAddress], told: [goldAddress], isChoice: true },
    ],
    [
      'is its former class too, but that is not told',
      undefined,
      routeBy('default', 'gold'),
      { addresses: [commonAddress, goldAddress], told: [commonAddress], isChoice: true },
    ],
  ])('%s', (_, named, route, wanted) => {
    expect(classesOf(named, route)).toMatchObject(wanted);
  });
});
