/** Who issues certificates: cert-manager's own ACME issuer, or the operator by an AcmeIssuer. */
export type IssuerKind = 'ClusterIssuer' | 'AcmeIssuer';

/** A cluster-scoped issuer. */
export interface IssuerRef {
  readonly kind: IssuerKind;
  readonly name: string;
}

const issuers = {
  ClusterIssuer: { group: 'cert-manager.io', plural: 'clusterissuers' },
  AcmeIssuer: { group: 'projectdomain.io', plural: 'acmeissuers' },
} as const satisfies Readonly<Record<IssuerKind, object>>;

/** The API group, as a Certificate's issuerRef names it. */
export const issuerGroup = ({ kind }: Pick<IssuerRef, 'kind'>): string => issuers[kind].group;

/** How cert-manager names the signer that an approver needs a right on (its documentation, "Approval API"). */
export const signerOf = ({ kind, name }: IssuerRef): string => `${issuers[kind].plural}.${issuers[kind].group}/${name}`;

/** The operator orders the certificates itself, and the redirector answers the challenges. */
export const isOrderedHere = ({ kind }: Pick<IssuerRef, 'kind'>): boolean => kind === 'AcmeIssuer';
