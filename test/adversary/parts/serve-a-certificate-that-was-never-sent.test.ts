import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { gatherOwnCertificates } from '../../../src/controllers/project-domain/own-certificate/gather-own-certificates.ts';
import { recordValues } from '../../../src/rules/dns-target.ts';
import type { CertificateHolder, OwnCertificate } from '../../../src/rules/own-certificate.ts';
import { ownSecretName } from '../../../src/rules/own-certificate.ts';
import {
  certificateIn,
  domain,
  heldBy,
  routeOf,
  ingress,
  routes,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/**
 * A tenant with the edit role writes spec.certificate with kubectl: the name of another's Secret, facts that are not so, or a certificate of another
 * domain. Held off: the Secret's name is an HMAC over account, hostname and facts, with a key that tenants do not have.
 */

const hostname = 'www.example.com';
const facts = {
  chain: ['a'.repeat(64)],
  names: [hostname],
  issuer: 'CN=ca',
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2026-12-01T00:00:00Z',
};
const named = (holder: Partial<CertificateHolder>, changes: Partial<OwnCertificate> = {}): OwnCertificate => ({
  ...facts,
  secretName: ownSecretName(settings.records, { accountId: 'acc-acme', hostname, ...holder }, facts),
  ...changes,
});
const honest = named({});

/** What the route of the tenant's Live domain names then; everything else is right, and the Secret exists. */
function routedWith(certificate: OwnCertificate): string | undefined {
  const { secretName: name, names, notAfter } = certificate;
  const status = {
    state: 'Live',
    certificate: { ownSecrets: [{ name, names, notAfter }] },
    conditions: [
      { type: 'Routed', status: 'True', reason: 'Routed', message: '', lastTransitionTime: facts.notBefore },
    ],
  } as const satisfies ProjectDomain['status'];
  const subject = domain({ spec: { certificate }, status });
  const route = routeOf(ingress);
  const sources = { caches: { claims: { get: () => undefined } as never }, settings };
  const own = gatherOwnCertificates(sources, { domain: subject, accountId: 'acc-acme', route });
  const seen = {
    ...heldBy,
    domain: subject,
    route,
    own,
    ownSecretIsThere: true,
    certificate: certificateIn(true),
    verdict: verdict(),
  };
  const write = decideProjectDomain(snapshot(seen)).writes.find(({ kind }) => kind.kind === 'Ingress');
  return write?.verb === 'apply' ? routes.secretOf([write.object]) : undefined;
}

it('the certificate that was sent is served', () => {
  expect(routedWith(honest)).toBe(honest.secretName);
});

describe('not served is', () => {
  it.each<[string, OwnCertificate]>([
    ["a Secret of the tenant's own by such a name", { ...honest, secretName: `pd-own-${'a'.repeat(26)}` }],
    ['one that was sent by another account', named({ accountId: 'acc-rival' })],
    ['one that was sent for another hostname', named({ hostname: 'shop.example.com' })],
    ['one that names less than it did', named({}, { names: [] })],
    ['one that ends later than it does', named({}, { notAfter: '2099-01-01T00:00:00Z' })],
    ['another one by its name', named({}, { chain: ['b'.repeat(64)] })],
    ['one of an issuer that it has not', named({}, { issuer: 'CN=another' })],
    [
      'a name that was drawn with another key',
      {
        ...facts,
        secretName: ownSecretName(
          recordValues(Buffer.alloc(32, 9), 'x.test'),
          { accountId: 'acc-acme', hostname },
          facts,
        ),
      },
    ],
  ])('%s', (_, certificate) => {
    expect(routedWith(certificate)).not.toMatch(/^pd-own-/);
  });
});
