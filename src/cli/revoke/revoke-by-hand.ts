import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { childName } from '../../rules/dns-target.ts';
import { claimedHostname } from '../../rules/claim-name.ts';

/** What to do where cert-manager ordered a hostname's certificates: the operator has neither their keys nor that account's. */
export function revokeByHand({ metadata, spec }: HostnameClaim): string {
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
