import { describe, expect, it } from '@jest/globals';
import { createRoutes, createRoutingClasses } from '../../../src/routing/create-routes.ts';
import type { RoutingClass } from '../../../src/routing/create-routes.ts';
import type { ClassChoice } from '../../../src/routing/routing-classes.ts';
import { classesFor } from '../../../src/routing/routing-classes.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';

/** Which routing classes serve a project, by what its plan permits and what it names. */

const probe = { address: '192.0.2.1', port: 443, httpPort: 80 };
const ingress = {
  kind: 'Ingress',
  probe,
  isRetired: false,
  addresses: [],
  controller: 'Other',
  httpsRedirect: true,
} as const;
const classes: readonly RoutingClass[] = [
  { ...ingress, class: 'default', className: 'traefik' },
  { ...ingress, class: 'other', className: 'contour' },
  { ...ingress, class: 'gold', className: 'gold', addresses: ['203.0.113.50'] },
  { ...ingress, class: 'gone', className: 'gone', addresses: ['203.0.113.60'], isRetired: true },
];
const installed = createRoutingClasses({ classes, wildcards: false });
const common = ['default', 'other'];

describe('a project is served by', () => {
  it.each<[sentence: string, choice: ClassChoice, wanted: readonly string[]]>([
    ['every common class, where its plan permits none', { permitted: [], named: undefined }, common],
    ['every common class, where it names one that its plan does not permit', { permitted: [], named: 'gold' }, common],
    ['the first that its plan permits', { permitted: ['gold', 'default'], named: undefined }, ['gold']],
    ['the one that it names', { permitted: ['default', 'gold'], named: 'gold' }, ['gold']],
    ['every common class, where it names one of them', { permitted: ['gold', 'default'], named: 'default' }, common],
    ['the first that is there', { permitted: ['gone', 'never', 'gold'], named: 'gone' }, ['gold']],
    ['every common class, where those that are permitted are gone', { permitted: ['gone'], named: undefined }, common],
  ])('%s', (_, choice, wanted) => {
    expect(classesFor(installed, choice)).toEqual(wanted);
  });
});

describe('the objects of a route', () => {
  const route: DesiredRoute = {
    namespace: 'acme',
    hostname: 'www.example.com',
    owner: {
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'www', namespace: 'acme', uid: 'uid' },
    } as DesiredRoute['owner'],
    backend: { name: 'web', port: 80 },
    hasCertificate: true,
  };
  const objectsBy = (names?: readonly string[]) =>
    createRoutes({ classes, wildcards: false }).manifests({ ...route, ...(names ? { classes: names } : {}) });

  it.each<[names: readonly string[]]>([[['default']], [['gold']], [['default', 'gold']]])(
    'are those of the classes that it names, and say so: %j',
    (names) => {
      const objects = objectsBy(names);
      expect(objects).toHaveLength(names.length);
      expect(installed.ofObjects(objects)).toEqual(names);
    },
  );

  it('are those of every class that serves, where it names none, as that of a platform hostname', () => {
    expect(installed.ofObjects(objectsBy())).toEqual(['default', 'other', 'gold']);
  });
});
