import type { IssuerReference, ClusterIssuer } from '../resources/cert-manager-types.ts';
import type { AcmeIssuer } from '../generated/acme-issuer.ts';
import { AcmeIssuerKind, ClusterIssuerKind } from '../resources/kinds.ts';
import type { OrderLimits } from '../rules/order-ledger/order-limits.ts';

/** A cluster-scoped issuer: cert-manager's own for ACME, or the operator by an AcmeIssuer. */
export interface IssuerRef {
  readonly kind: 'ClusterIssuer' | 'AcmeIssuer';
  readonly name: string;
}

const kinds = { ClusterIssuer: ClusterIssuerKind, AcmeIssuer: AcmeIssuerKind } as const;

const groupOf = ({ kind }: IssuerRef): string => kinds[kind].apiVersion.split('/')[0] ?? '';

/** An issuer as a Certificate names it. */
export interface CertificateIssuer extends IssuerRef {
  readonly group: string;
}

export const referenceTo = (issuer: IssuerRef): CertificateIssuer => ({
  group: groupOf(issuer),
  kind: issuer.kind,
  name: issuer.name,
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
  return group === groupOf(issuer) && kind === issuer.kind && name === issuer.name;
}

/** How cert-manager names the signer that an approver needs a right on (its documentation, "Approval API"). */
export const signerOf = (issuer: IssuerRef): string => `${kinds[issuer.kind].plural}.${groupOf(issuer)}/${issuer.name}`;

/** The operator orders the certificates itself, and the redirector answers the challenges. */
export const isOrderedHere = ({ kind }: Pick<IssuerRef, 'kind'>): boolean => kind === 'AcmeIssuer';

export type Issuer = ClusterIssuer | AcmeIssuer;

/** The kind of the object that an issuer is. */
export const issuerKindOf = ({ kind }: IssuerRef) => kinds[kind];

type AccountSpec = AcmeIssuer['spec']['accounts'][number];

/** An ACME account of an issuer, with what is said of it alone; what is absent is as the installation has it. */
export interface AccountOfIssuer extends Pick<AccountSpec, 'caaDomains' | 'caaProfile'> {
  /** as in spec.accounts; null for the one account of a ClusterIssuer */
  readonly name: string | null;
  /** URL of its authority; empty where nobody asks for it */
  readonly server: string;
  /** its URL, by which CAA records name it (RFC 8657); null before it is registered */
  readonly uri: string | null;
  readonly limits: Partial<OrderLimits>;
}

/** The accounts of an issuer in order of preference; one that is not known where the issuer is not. */
export function accountsOfIssuer(issuer: Issuer | undefined): readonly AccountOfIssuer[] {
  const accounts = (issuer as Partial<AcmeIssuer> | undefined)?.spec?.accounts ?? [];
  const alone = { name: null, server: '', uri: clusterIssuerUri(issuer), limits: {} };
  if (accounts.length === 0) return [alone];
  return accounts.map((account) => ({
    ...account,
    uri: registeredUri(issuer as AcmeIssuer, account),
    limits: account.limits ?? {},
  }));
}

function clusterIssuerUri(issuer: Issuer | undefined): string | null {
  const status = issuer?.status ?? {};
  return 'acme' in status ? (status.acme?.uri ?? null) : null;
}

const registeredUri = ({ status }: AcmeIssuer, { name, server }: AccountSpec): string | null =>
  status?.accounts?.find((known) => known.name === name && known.server === server)?.uri ?? null;
