import type { DesiredRoute } from '../../src/routing/route-port.ts';
import { domain } from './snapshot.ts';

/** A hostname's route before it is served. */
export const heldRoute: DesiredRoute = Object.freeze({
  namespace: 'acme',
  hostname: 'www.example.com',
  owner: domain(),
  backend: null,
  hasCertificate: false,
  answersChallenges: true,
});

/** The same with a certificate, and leading to a project. */
export const servedRoute: DesiredRoute = Object.freeze({
  ...heldRoute,
  backend: { name: 'shop', port: 80 },
  hasCertificate: true,
});
