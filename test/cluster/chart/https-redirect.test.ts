import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTool } from '../../../dev/platform/tools.ts';
import type { Manifest } from './rendering.ts';
import { render } from './rendering.ts';
import type { Values } from './values.ts';
import { base, merged } from './values.ts';

/** Who leads visitors from http to https. Fails where an edge is told nothing unless somebody knows a value, or the Ingress for all hostnames is there without the others' annotation, or they without it. */

let helm: string;

beforeAll(async () => {
  helm = await findTool('helm', (line) => void process.stderr.write(`${line}\n`));
}, 120_000);

interface OperatorClasses {
  readonly routing: {
    readonly classes: readonly {
      readonly class: string;
      readonly controller: string;
      readonly httpsRedirect?: boolean;
    }[];
  };
}

const toldOf = (manifests: readonly Manifest[]) => {
  const config = manifests.find(
    ({ kind, data }) => kind === 'ConfigMap' && data?.['config.json']?.includes('"routing"'),
  );
  const { routing } = JSON.parse(config?.data?.['config.json'] ?? '') as OperatorClasses;
  return routing.classes.map(({ class: name, controller, httpsRedirect }) => [name, controller, httpsRedirect]);
};

const ingresses = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind, metadata }) => kind === 'Ingress' && metadata.name.startsWith('projectdomain-http'));

const second = { class: 'second', ingressClass: 'traefik', probe: { address: '203.0.113.20' } };
const gateway = { ingressClass: '', gateway: { namespace: 'edge', name: 'customers' } };

describe('the redirect to HTTPS', () => {
  type Told = readonly [name: string, controller: string, redirects: boolean | undefined];
  it.each<[string, Values, readonly Told[], readonly string[]]>([
    ['is Traefik’s for a class of that name', {}, [['default', 'Traefik', true]], ['projectdomain-http']],
    ['is Contour’s for a class of that name', { ingressClass: 'contour' }, [['default', 'Contour', true]], []],
    ['is nobody’s for another class', { ingressClass: 'nginx' }, [['default', 'Other', true]], []],
    [
      'is Traefik’s where that is said',
      { ingressClass: 'a', controller: 'Traefik' },
      [['default', 'Traefik', true]],
      ['projectdomain-http'],
    ],
    [
      'is Contour’s where that is said, whatever the name',
      { controller: 'Contour' },
      [['default', 'Contour', true]],
      [],
    ],
    ['is left to the controller where that is said', { httpsRedirect: false }, [['default', 'Traefik', false]], []],
    ['is the routes’ own behind a Gateway', gateway, [['default', 'Other', undefined]], []],
    [
      'is said of each class by itself',
      { httpsRedirect: false, routing: { classes: [second] } },
      [
        ['default', 'Traefik', false],
        ['second', 'Traefik', true],
      ],
      ['projectdomain-http-second'],
    ],
    [
      'is not that of a retired class',
      { routing: { classes: [{ ...second, retired: true }] } },
      [
        ['default', 'Traefik', true],
        ['second', 'Traefik', true],
      ],
      ['projectdomain-http'],
    ],
  ])('%s', async (_, values, told, names) => {
    const manifests = await render(helm, merged(base, values));
    expect(toldOf(manifests)).toEqual(told);
    expect(ingresses(manifests).map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it('is asked for last, over http alone, and leads to the redirector', async () => {
    const [ingress] = ingresses(await render(helm, base));
    expect(ingress?.metadata.annotations).toEqual({
      'traefik.ingress.kubernetes.io/router.entrypoints': 'web',
      'traefik.ingress.kubernetes.io/router.priority': '1',
    });
    const service = { name: 'projectdomain-redirector', port: { number: 8080 } };
    const paths = [{ path: '/', pathType: 'Prefix', backend: { service } }];
    expect(ingress?.spec).toEqual({ ingressClassName: 'traefik', rules: [{ http: { paths } }] });
  });
});
