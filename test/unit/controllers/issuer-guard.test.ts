import { describe, expect, it } from '@jest/globals';
import type { CertManagerSetup } from '../../../src/controllers/account/issuer-guard.ts';
import { issuerGuardFinding } from '../../../src/controllers/account/issuer-guard.ts';

/** What cert-manager's set-up means for the promise that nothing is ordered before proof. */

const issuer = { kind: 'ClusterIssuer', name: 'letsencrypt' } as const;

describe("cert-manager's set-up", () => {
  it.each<[string, CertManagerSetup, string, string, RegExp]>([
    [
      'without the right to approve is guarded',
      { args: [], mayApprove: false },
      'True',
      'IssuerGuarded',
      /only the operator/,
    ],
    [
      'with its approver switched off is guarded, whatever its rights',
      { args: ['--controllers=*,-certificaterequests-approver'], mayApprove: true },
      'True',
      'IssuerGuarded',
      /clusterissuers.cert-manager.io\/letsencrypt/,
    ],
    [
      'that may approve is said with what to install otherwise',
      { args: ['--v=2'], mayApprove: true },
      'False',
      'ApprovedElsewhere',
      /disableAutoApproval=true/,
    ],
    [
      'that ties Secrets to Certificates is said',
      { args: ['--enable-certificate-owner-ref'], mayApprove: false },
      'False',
      'SecretsOwned',
      /without --enable-certificate-owner-ref/,
    ],
    [
      'that ties Secrets to Certificates by an explicit true is said',
      { args: ['--enable-certificate-owner-ref=true'], mayApprove: false },
      'False',
      'SecretsOwned',
      /needs a new order/,
    ],
    [
      'that says false of it is guarded',
      { args: ['--enable-certificate-owner-ref=false'], mayApprove: false },
      'True',
      'IssuerGuarded',
      /only the operator/,
    ],
    [
      'that was not found is unknown, never a yes',
      { args: null, mayApprove: false },
      'Unknown',
      'CertManagerNotFound',
      /not found/,
    ],
  ])('%s', (_, seen, status, reason, message) => {
    const finding = issuerGuardFinding(seen, issuer);
    expect(finding).toMatchObject({ status, reason });
    expect(finding.message).toMatch(message);
  });
});
