import { describe, expect, it } from '@jest/globals';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import type { Actions } from '../../../src/controller-runtime/actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { Asked } from '../../support/signing-request.ts';
import { signingRequest } from '../../support/signing-request.ts';
import { certificateIn, granting, heldBy, verdict, request, snapshot } from '../../support/snapshot.ts';

/**
 * A tenant with one honest, verified hostname has a CertificateRequest beside it that asks for something else, and waits
 * for the operator's approval. Held off: the request itself is read (signing request, issuer, owner), not its annotation.
 */

const hostname = 'www.example.com';
const honest: Asked = { names: `DNS:${hostname}` };

const asking = (asked: Asked): CertificateRequest => ({
  ...request('r1'),
  spec: { ...request('r1').spec, request: signingRequest(asked) },
});

const carrying = (content: string): CertificateRequest => ({
  ...request('r1'),
  spec: { ...request('r1').spec, request: Buffer.from(content).toString('base64') },
});

const ownedBy = (changes: { kind?: string; uid?: string; controller?: boolean } | null): CertificateRequest => {
  const subject = asking(honest);
  const [owner] = subject.metadata.ownerReferences ?? [];
  if (!owner) throw new Error('an honest request has an owner');
  return { ...subject, metadata: { ...subject.metadata, ownerReferences: changes ? [{ ...owner, ...changes }] : [] } };
};

const toIssuer = (issuerRef: CertificateRequest['spec']['issuerRef']): CertificateRequest => {
  const subject = asking(honest);
  return { ...subject, spec: { ...subject.spec, issuerRef } };
};

/** Everything else is right: held, looked at this very moment, and the ledger has granted the order. */
const before = (given: CertificateRequest, changes: Partial<ProjectDomainSnapshot> = {}) =>
  snapshot({
    ...heldBy,
    verdict: verdict(),
    certificate: certificateIn(true),
    requests: [given],
    orderLedger: granting(given),
    ...changes,
  });

const isApproved = ({ writes }: Actions): boolean => JSON.stringify(writes).includes('"Approved"');
const isRecorded = ({ writes }: Actions): boolean =>
  writes.some(({ verb, kind }) => verb === 'replace' && kind.kind === 'HostnameClaim');

const strangersCertificate = () => {
  const certificate = certificateIn(true);
  const [owner] = certificate.metadata.ownerReferences;
  if (!owner) throw new Error('our certificates have an owner');
  return { ...certificate, metadata: { ...certificate.metadata, ownerReferences: [{ ...owner, uid: 'u-stranger' }] } };
};

describe('a request beside a verified hostname', () => {
  it('is approved when it asks for exactly that hostname', () => {
    expect(isApproved(decideProjectDomain(before(asking(honest))))).toBe(true);
    const named = asking({ subject: `/CN=${hostname}`, names: `DNS:${hostname}` });
    expect(isApproved(decideProjectDomain(before(named)))).toBe(true);
  });

  it.each<[string, ProjectDomainSnapshot]>([
    ['names a bank beside it', before(asking({ names: `DNS:${hostname},DNS:www.bank.example` }))],
    ['names only a bank', before(asking({ names: 'DNS:www.bank.example' }))],
    ['names a wildcard', before(asking({ names: 'DNS:*.example.com' }))],
    ['names the same hostname twice', before(asking({ names: `DNS:${hostname},DNS:${hostname}` }))],
    ['names an address beside it', before(asking({ names: `DNS:${hostname},IP:203.0.113.10` }))],
    ['names a mailbox beside it', before(asking({ names: `DNS:${hostname},email:root@bank.example` }))],
    ['names a URI beside it', before(asking({ names: `DNS:${hostname},URI:https://www.bank.example/` }))],
    ['names a bank as its common name', before(asking({ ...honest, subject: '/CN=www.bank.example' }))],
    ['names two common names', before(asking({ ...honest, subject: `/CN=${hostname}/CN=www.bank.example` }))],
    ['names a company', before(asking({ ...honest, subject: '/O=Bank Ltd' }))],
    ['has no alternative name at all', before(asking({ names: null, subject: `/CN=${hostname}` }))],
    ['brings an RSA key', before(asking({ ...honest, key: ['rsa:2048'] }))],
    [
      'brings a key on another curve',
      before(asking({ ...honest, key: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1'] })),
    ],
    ['brings no request', before(carrying(''))],
    [
      'brings something that is no request',
      before(carrying('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----')),
    ],
    [
      'brings two requests in one text',
      before(carrying(Buffer.from(signingRequest(honest), 'base64').toString().repeat(2))),
    ],
    ['brings a megabyte', before(carrying('A'.repeat(1_000_000)))],
    ['asks to be an authority', before({ ...asking(honest), spec: { ...asking(honest).spec, isCA: true } })],
    ['goes to another issuer', before(toIssuer({ group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'other' }))],
    [
      'goes to an Issuer of the same name in the namespace',
      before(toIssuer({ group: 'cert-manager.io', kind: 'Issuer', name: 'ca' })),
    ],
    [
      'goes to an issuer of another group',
      before(toIssuer({ group: 'evil.example', kind: 'ClusterIssuer', name: 'ca' })),
    ],
    ['names no kind of issuer, which means Issuer', before(toIssuer({ name: 'ca' }))],
    ['bears our annotation and has no owner', before(ownedBy(null))],
    ['belongs to a Certificate that was there before', before(ownedBy({ uid: 'u-former' }))],
    ['belongs to another kind', before(ownedBy({ kind: 'ConfigMap' }))],
    ['is only tied, not controlled', before(ownedBy({ controller: false }))],
    ['belongs to a Certificate of somebody else', before(asking(honest), { certificate: strangersCertificate() })],
    ['has no Certificate', before(asking(honest), { certificate: undefined })],
  ])('is neither recorded nor approved when it %s', (_, snap) => {
    const actions = decideProjectDomain(snap);
    expect([isRecorded(actions), isApproved(actions)]).toEqual([false, false]);
  });
});
