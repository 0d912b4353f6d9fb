import { describe, expect, it } from '@jest/globals';
import { issuerForCertificate } from '../../../src/issuing/certificate-manifest.ts';
import type { IssuerRef } from '../../../src/issuing/issuer-ref.ts';
import type { Certificate } from '../../../src/resources/cert-manager-types.ts';
import { timestamp } from '../../../src/rules/conditions.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const lifetime = 90 * 24 * 3_600_000;

const byCertManager = { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'old' };
const byOperator = { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' };
const installed: IssuerRef = { kind: 'AcmeIssuer', name: 'ca' };

interface Facts {
  readonly issuerRef?: Certificate['spec']['issuerRef'];
  /** share of the lifetime */
  readonly left?: number;
  readonly ready?: boolean;
  readonly issuing?: boolean;
}

const certificate = ({ issuerRef = byCertManager, left = 0.8, ready = true, issuing = false }: Facts): Certificate => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'c' },
  spec: { secretName: 'c', issuerRef },
  status: {
    notBefore: timestamp(now - (1 - left) * lifetime),
    notAfter: timestamp(now + left * lifetime),
    conditions: [
      { type: 'Ready', status: ready ? 'True' : 'False' },
      { type: 'Issuing', status: issuing ? 'True' : 'False' },
    ],
  },
});

describe('a Certificate names', () => {
  it.each<[string, Certificate | undefined, IssuerRef, object]>([
    ["the installation's issuer where there is none yet", undefined, installed, byOperator],
    ['its former one while it is issued', certificate({}), installed, byCertManager],
    [
      'the other way round as well',
      certificate({ issuerRef: byOperator }),
      { kind: 'ClusterIssuer', name: 'old' },
      byOperator,
    ],
    ["the installation's once cert-manager begins its renewal", certificate({ issuing: true }), installed, byOperator],
    ["the installation's where it is not issued", certificate({ ready: false }), installed, byOperator],
    [
      "the installation's where cert-manager issues it anew: an edit made it",
      certificate({ issuing: true }),
      installed,
      byOperator,
    ],
    [
      "the installation's at once where only the name changed",
      certificate({ issuerRef: { ...byOperator, name: 'staging' } }),
      installed,
      byOperator,
    ],
    [
      "the installation's where it names what we never write",
      certificate({ issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'evil' } }),
      installed,
      byOperator,
    ],
    [
      "the installation's where it names a kind of ours in another group",
      certificate({ issuerRef: { ...byCertManager, group: 'evil.example' } }),
      installed,
      byOperator,
    ],
  ])('%s', (_, of, issuer, expected) => {
    expect(issuerForCertificate(of, issuer)).toEqual(expected);
  });
});
