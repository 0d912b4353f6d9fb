import { expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { certificateIn, heldBy, routeOf, settings, snapshot, verdict } from '../../support/snapshot.ts';

/** Behind an edge that leads http to https when its Ingress says so, a hostname without its Secret cannot answer the challenge for the next one. */

const redirect = 'ingress.kubernetes.io/force-ssl-redirect';
const contour = createIngressRoutes({ className: 'contour', controller: ingressControllers.Contour });

function redirects(reason: string): boolean {
  const certificate = certificateIn(false);
  const conditions = [{ type: 'Ready', status: 'False' as const, reason }];
  const served = contour.manifests({
    namespace: 'acme',
    hostname: 'www.example.com',
    owner: snapshot({}).domain,
    backend: { name: 'former', port: 80 },
    hasCertificate: true,
  });
  const { writes } = decideProjectDomain(
    snapshot({
      ...heldBy,
      settings: { ...settings, routes: contour },
      certificate: { ...certificate, status: { ...certificate.status, conditions } },
      route: { ...routeOf(served[0] as never), backend: 'former', secretName: 'pd-1' },
      verdict: verdict(),
    }),
  );
  const applied = writes.find(({ verb, kind }) => verb === 'apply' && kind.kind === 'Ingress');
  expect(applied).toBeDefined();
  return JSON.stringify(applied).includes(redirect);
}

it.each([
  ['leads http to https while its certificate is issued anew', 'Expired', true],
  ['does not while its Secret is not there', 'DoesNotExist', false],
])('a hostname %s', (_, reason, isLed) => {
  expect(redirects(reason)).toBe(isLed);
});
