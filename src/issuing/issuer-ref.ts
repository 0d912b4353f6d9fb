import type { IssuerReference } from '../resources/cert-manager-types.ts';

/** Who issues certificates: cert-manager's own ACME issuer, or the operator by an AcmeIssuer. */
type IssuerKind = 'ClusterIssuer' | 'AcmeIssuer';

/** A cluster-scoped issuer. */
export interface IssuerRef {
  readonly kind: IssuerKind;
  readonly name: string;
}

const issuers = {
  ClusterIssuer: { group: 'cert-manager.io', plural: 'clusterissuers' },
  AcmeIssuer: { group: 'projectdomain.io', plural: 'acmeissuers' },
} as const satisfies Readonly<Record<IssuerKind, object>>;

/** An issuer as a Certificate names it. */
export interface CertificateIssuer extends IssuerRef {
  readonly group: string;
}

export const referenceTo = ({ kind, name }: IssuerRef): CertificateIssuer => ({
  group: issuers[kind].group,
  kind,
  name,
});

/** With cert-manager's defaults: a reference without group means cert-manager.io, without kind an Issuer. */
export const withDefaults = ({ group = 'cert-manager.io', kind = 'Issuer', name }: IssuerReference) => ({
  group,
  kind,
  name,
});

/** True where that is what they name. */
export function isNamed(issuer: IssuerRef, named: IssuerReference): boolean {
  const { group, kind, name } = withDefaults(named);
  return group === issuers[issuer.kind].group && kind === issuer.kind && name === issuer.name;
}

/** How cert-manager names the signer that an approver needs a right on (its documentation, "Approval API"). */
export const signerOf = ({ kind, name }: IssuerRef): string => `${issuers[kind].plural}.${issuers[kind].group}/${name}`;

/** The operator orders the certificates itself, and the redirector answers the challenges. */
export const isOrderedHere = ({ kind }: Pick<IssuerRef, 'kind'>): boolean => kind === 'AcmeIssuer';
