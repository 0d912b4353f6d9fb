import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { RevocationRequest } from '../../issuing/revocations.ts';
import { isRequested, isRevocable } from '../../issuing/revocations.ts';
import { isConflict } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import { claimKey, claimedHostname } from '../../rules/claim-name.ts';
import { timestamp } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import { CommandFailure } from '../usage-errors.ts';

/** What an administrator wants. */
export interface WantedRevocation {
  readonly hostname: string;
  readonly reason: RevocationRequest['reason'];
  readonly atOnce: boolean;
}

/** The request as the claim has it. */
export interface WrittenRevocation {
  readonly request: RevocationRequest;
  /** what is left to do by hand, as the present certificate is cert-manager's; null for nothing */
  readonly byHand: string | null;
}

const triesAtMost = 5;

/**
 * Writes the request on the claim, with the version that was read, and gives it as it is there: the same again joins the one that is open.
 * Rejects with CommandFailure where there is nothing that the operator could revoke.
 */
export async function requestRevocation(
  cluster: Pick<Cluster, 'get' | 'replace'>,
  wanted: WantedRevocation,
  now: () => number,
): Promise<WrittenRevocation> {
  for (let tries = 1; ; tries += 1) {
    const claim = await cluster.get(HostnameClaimKind, claimKey(wanted.hostname));
    if (!claim) throw new CommandFailure(unknownHostname(wanted.hostname));
    const { revocation } = claim.spec;
    const byHand = isCertManagers(claim) ? revokeByHand(claim) : null;
    if (revocation && isRequested(claim.spec) && isSame(revocation, wanted)) return { request: revocation, byHand };
    refuseInVain(claim, byHand, now());
    const request = requestFor(wanted, revocation, now());
    try {
      await cluster.replace(HostnameClaimKind, {
        ...claim,
        spec: { ...claim.spec, revocation: request },
      } as HostnameClaim);
      return { request, byHand };
    } catch (error) {
      if (!isConflict(error) || tries === triesAtMost) throw error;
    }
  }
}

const isSame = ({ reason, atOnce = false }: RevocationRequest, wanted: WantedRevocation): boolean =>
  reason === wanted.reason && atOnce === wanted.atOnce;

/** Requests are told apart by their time, in whole seconds. */
function requestFor(
  { reason, atOnce }: WantedRevocation,
  before: RevocationRequest | undefined,
  now: number,
): RevocationRequest {
  const earliest = before === undefined ? now : Date.parse(before.requestedAt) + 1_000;
  return { reason, requestedAt: timestamp(Math.max(now, earliest)), ...(atOnce ? { atOnce } : {}) };
}

/** Whose certificate the present one is, as far as the claim tells. */
function isCertManagers({ spec }: HostnameClaim): boolean {
  const last = spec.orders?.findLast(({ outcome }) => outcome === 'Issued');
  return last !== undefined && last.acme === undefined;
}

function refuseInVain(claim: HostnameClaim, byHand: string | null, now: number): void {
  if (claim.spec.orders?.some((order) => isRevocable(order, now))) return;
  if (byHand !== null) throw new CommandFailure(byHand);
  throw new CommandFailure(
    `${claimedHostname(claim.metadata.name)} has no valid certificate that the operator ordered and that is not revoked`,
  );
}

const unknownHostname = (hostname: string): string =>
  `no account holds ${hostname}, and none gave it up within seven days; certificates of a name before that are not remembered`;

/** What to do where cert-manager ordered a hostname's certificates: the operator has neither their keys nor that account's. */
function revokeByHand({ metadata, spec }: HostnameClaim): string {
  const secret = childName(claimedHostname(metadata.name));
  const { namespace } = spec.holder;
  const read = (field: string) =>
    `  kubectl get secret ${secret} -n ${namespace} -o jsonpath='{.data.tls\\.${field}}' | base64 -d > tls.${field}`;
  return [
    `cert-manager ordered the certificates of ${claimedHostname(metadata.name)} with the ACME account of a ClusterIssuer, which the operator cannot use.`,
    'Revoke the present one by its own key, with any ACME client:',
    read('crt'),
    read('key'),
    '  certbot revoke --cert-path tls.crt --key-path tls.key --reason keycompromise --server SERVER-OF-THE-CLUSTERISSUER',
    'and have cert-manager order another one with a new key:',
    `  kubectl delete secret ${secret} -n ${namespace}`,
  ].join('\n');
}
