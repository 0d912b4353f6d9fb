import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isLookDue } from '../../../src/controllers/project-domain/check-due.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { gatherOwnCertificates } from '../../../src/controllers/project-domain/own-certificate/gather-own-certificates.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { ProbeResult } from '../../../src/routing/https-probe.ts';
import { findCondition, timestamp } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { OwnCertificate, OwnRefusal } from '../../../src/rules/own-certificate.ts';
import { certificateRules, ownSecretName } from '../../../src/rules/own-certificate.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';
import {
  certificateIn,
  domain,
  heldBy,
  ingress,
  now,
  routeOf,
  routes,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/**
 * Certificates of customers' own that were taken before a rule was added are checked by it as visitors see them. Fails when one that would be refused today
 * stays, when one goes that is right, or when a hostname is left without any in between.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const hostname = 'www.example.com';
const minute = 60_000;
const automatic = childName(hostname);
const derOf = (wish: Parameters<typeof maker.make>[0]) => new X509Certificate(maker.make(wish).pem).raw;
const right = derOf({});
const taking = derOf({ subject: '/CN=www.example.com,www.example.org' });

const facts = {
  chain: ['a'.repeat(64)],
  names: [hostname],
  issuer: 'CN=ca',
  notBefore: timestamp(now - 10 * 24 * 60 * minute),
  notAfter: timestamp(now + 80 * 24 * 60 * minute),
};
const named = (changes: Partial<typeof facts> = {}): OwnCertificate => {
  const all = { ...facts, ...changes };
  return { ...all, secretName: ownSecretName(settings.records, { accountId: 'acc-acme', hostname }, all) };
};

interface Given {
  readonly probe?: ProbeResult | null;
  readonly rules?: number;
  readonly refused?: OwnRefusal;
  readonly unansweredSince?: number | null;
  /** an automatic one is there */
  readonly isReady?: boolean;
  readonly own?: OwnCertificate;
}

/** A Live domain that is served with a certificate of the customer's own. */
function served({
  probe = null,
  rules,
  refused,
  unansweredSince = null,
  isReady,
  own = named(),
}: Given): ProjectDomainSnapshot {
  const { secretName: name, names: certified, notAfter } = own;
  const entry = { name, names: certified, notAfter, ...(rules ? { rules } : {}), ...(refused ? { refused } : {}) };
  const condition = (type: string, reason: string) =>
    ({ type, status: 'True', reason, message: '', lastTransitionTime: timestamp(now) }) as const;
  const subject = domain({
    spec: { certificate: own },
    status: {
      state: 'Live',
      certificate: {
        name: automatic,
        ownSecrets: [entry],
        served: { secretName: name, since: timestamp(now - minute) },
      },
      conditions: [
        condition('DNSVerified', 'Verified'),
        condition('CertificateIssued', 'OwnCertificate'),
        condition('Routed', 'Routed'),
      ],
    },
  });
  const route = routeOf({ ...ingress, spec: { ...ingress.spec, tls: [{ secretName: name }] } } as never);
  const sources = { caches: { claims: { get: () => undefined } as never }, settings };
  return snapshot({
    ...heldBy,
    domain: subject,
    route,
    own: gatherOwnCertificates(sources, { domain: subject, accountId: 'acc-acme', route }),
    ownSecretIsThere: true,
    verdict: verdict(),
    probe,
    unansweredSince,
    ...(isReady ? { certificate: certificateIn(true) } : {}),
  });
}

/** What is written of the certificate, what the route names, and whether one is ordered. */
function after(given: Given) {
  const { writes, events } = decideProjectDomain(served(given));
  const statusWrite = writes.find(({ verb }) => verb === 'applyStatus');
  const { status = {} } = (statusWrite as { readonly object: Pick<ProjectDomain, 'status'> }).object;
  const route = writes.find(({ kind, verb }) => kind.kind === 'Ingress' && verb === 'apply');
  const secret = route?.verb === 'apply' ? routes.secretOf([route.object]) : named().secretName;
  const { reason: issued, message } = findCondition(status.conditions, 'CertificateIssued') ?? {};
  const [found] = status.certificate?.ownSecrets ?? [];
  return {
    found,
    issued,
    message,
    state: status.state,
    routed: secret === automatic ? 'automatic' : 'own',
    orders: writes.some(({ kind, verb }) => kind.kind === 'Certificate' && verb === 'apply'),
    warnings: events.filter(({ type }) => type === 'Warning').map(({ reason }) => reason),
  };
}

const shown = (certificate: Buffer): ProbeResult => ({ ok: true, certificate });
const foreign: ProbeResult = { ok: false, code: 'WrongCertificate', detail: 'another', isForeign: true };
const refusedAt = (agoMs: number, reason = 'CommonName'): OwnRefusal => ({ reason, at: timestamp(now - agoMs) });

describe('a certificate that was taken before', () => {
  it.each<[string, Given, boolean]>([
    ['is looked at where it was not by these rules', {}, true],
    ['is looked at where it was by earlier ones', { rules: certificateRules - 1 }, true],
    ['is not looked at once it was right', { rules: certificateRules }, false],
    ['is not looked at once it was refused', { refused: refusedAt(minute) }, false],
  ])('%s', (_, given, isDue) => {
    const of = served(given);
    const checked = { ...of.checkStatus, startedAt: now - minute, checkedAt: now };
    expect(isLookDue({ ...of, checkStatus: checked })).toBe(isDue);
  });

  it('is remembered as right where it is', () => {
    expect(after({ probe: shown(right) })).toMatchObject({
      found: { rules: certificateRules },
      issued: 'OwnCertificate',
      state: 'Live',
      routed: 'own',
      orders: false,
      warnings: [],
    });
  });

  it.each<[string, Buffer, OwnCertificate, reason: string]>([
    ['with a common name that lists foreign hostnames', taking, named(), 'CommonName'],
    [
      'for another hostname',
      derOf({ extensions: [...ofServer, names('shop.example.com')], subject: '/' }),
      named(),
      'HostnameMissing',
    ],
    ['with RSA of 1,024 bits', derOf({ key: ['rsa:1024'] }), named(), 'KeyType'],
    ['that is none', Buffer.from('hello'), named(), 'CertificateUnreadable'],
    ['for a platform hostname', right, named({ names: [hostname, `x.${settings.platformDomain}`] }), 'PlatformName'],
  ])('%s is replaced by an automatic one, served on until that is there, and told', (_, der, own, reason) => {
    expect(after({ probe: shown(der), own })).toMatchObject({
      found: { refused: { reason, at: timestamp(now) } },
      issued: 'OwnCertificateRefused',
      message: expect.stringContaining(reason),
      state: 'Degraded',
      routed: 'own',
      orders: true,
      warnings: ['OwnCertificateRefused', 'Degraded'],
    });
  });

  it.each<[string, Given, string]>([
    ['goes as soon as an automatic one is there', { refused: refusedAt(minute), isReady: true }, 'automatic'],
    ['is served on for an hour while nothing else is there', { refused: refusedAt(59 * minute) }, 'own'],
    ['goes after an hour, as what it names may be another’s', { refused: refusedAt(60 * minute) }, 'automatic'],
    [
      'is served on without an end where it endangers nobody else',
      { refused: refusedAt(600 * minute, 'KeyType') },
      'own',
    ],
  ])('and refused %s', (_, given, routed) => {
    expect(after(given)).toMatchObject({ routed, orders: true, issued: 'OwnCertificateRefused' });
  });

  it.each<[string, Given, string | undefined]>([
    ['for nine minutes is waited for', { probe: foreign, unansweredSince: now - 9 * minute }, undefined],
    ['for ten minutes is refused', { probe: foreign, unansweredSince: now - 10 * minute }, 'NotShown'],
    [
      'while the edge does not answer is waited for',
      { probe: { ok: false, code: 'Unreachable', detail: 'x' }, unansweredSince: now - 60 * minute },
      undefined,
    ],
    [
      'though it was right before is waited for',
      { probe: foreign, rules: certificateRules, unansweredSince: now - 60 * minute },
      undefined,
    ],
  ])('that the edge does not show %s', (_, given, reason) => {
    expect(after(given).found?.refused?.reason).toBe(reason);
  });
});
