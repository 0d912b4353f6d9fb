import type { AcmeIssuer } from '../generated/acme-issuer.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { ClusterIssuer } from '../resources/cert-manager-types.ts';
import { AcmeIssuerKind, ClusterIssuerKind } from '../resources/kinds.ts';
import type { IssuerRef } from './issuer-ref.ts';
import { isOrderedHere } from './issuer-ref.ts';

/** URL of the ACME account of cert-manager's issuer, by which CAA records name it (RFC 8657); null before it is registered. */
export const uriOfClusterIssuer = (issuer: ClusterIssuer | undefined): string | null =>
  issuer?.status?.acme?.uri ?? null;

/** The same of ours: of the account that is preferred. */
export const uriOfAcmeIssuer = (issuer: AcmeIssuer | undefined): string | null =>
  issuer?.status?.accounts?.find(({ uri }) => uri !== undefined)?.uri ?? null;

/** Reads it from the cluster. */
export async function readIssuerAccountUri(cluster: Pick<Cluster, 'get'>, issuer: IssuerRef): Promise<string | null> {
  const key = { namespace: '', name: issuer.name };
  return isOrderedHere(issuer)
    ? uriOfAcmeIssuer(await cluster.get(AcmeIssuerKind, key))
    : uriOfClusterIssuer(await cluster.get(ClusterIssuerKind, key));
}
