import type { ProjectDomain } from '../generated/project-domain.ts';
import { isWildcard } from './wildcard.ts';

type Status = NonNullable<ProjectDomain['status']>;
type Metadata = ProjectDomain['metadata'];

/** What lists and precedence ask of a domain, without its labels, its own certificate and the records, issues and history of its status. */
export interface DomainHead {
  readonly spec: Omit<ProjectDomain['spec'], 'certificate' | 'labels'>;
  /** without annotations, and of its owners with the controlling one alone */
  readonly metadata: Omit<Metadata, 'annotations' | 'generation'>;
  readonly status?: Pick<Status, 'state'> & {
    readonly certificate?: Pick<NonNullable<Status['certificate']>, 'request' | 'permittedAccounts'>;
    readonly servedAs?: Pick<NonNullable<Status['servedAs']>, 'role'>;
  };
}

const kept = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'labels',
  'creationTimestamp',
  'deletionTimestamp',
] as const satisfies readonly (keyof Metadata)[];

/** The head of a domain; shares what it has in common with it. */
export function headOfDomain({ metadata, spec: whole, status }: ProjectDomain): DomainHead {
  const { certificate, labels, ...others } = whole;
  const spec = certificate === undefined && labels === undefined ? whole : others;
  const head = { metadata: headOfMetadata(metadata), spec };
  return status === undefined ? head : { ...head, status: headOfStatus(status) };
}

function headOfMetadata(metadata: Metadata): Metadata {
  const named = kept.filter((field) => metadata[field] !== undefined).map((field) => [field, metadata[field]]);
  const head = Object.fromEntries(named) as unknown as Metadata;
  const ownerReferences = metadata.ownerReferences?.filter(({ controller }) => controller) ?? [];
  return ownerReferences.length === 0 ? head : { ...head, ownerReferences };
}

function headOfStatus({ state, certificate, servedAs }: Status): NonNullable<DomainHead['status']> {
  const { request, permittedAccounts } = certificate ?? {};
  const permitted = permittedAccounts === undefined ? {} : { permittedAccounts };
  const waiting = request === undefined ? {} : { certificate: { request, ...permitted } };
  const served = servedAs === undefined ? {} : { servedAs: { role: servedAs.role } };
  return { ...(state === undefined ? {} : { state }), ...waiting, ...served };
}

/** Requests to its hostname are answered, whatever is wrong with it. */
export const isServed = ({ status }: Pick<DomainHead, 'status'>): boolean =>
  status?.state === 'Live' || status?.state === 'Degraded';

/** A domain that is, or asks to be, its project's primary. Wildcards are served beside it. */
export const isPrimary = ({ spec }: Pick<DomainHead, 'spec'>): boolean =>
  spec.role !== 'Redirect' && !isWildcard(spec.hostname);

/** True for the primary that visitors get: it was accepted as one, and is served. One that only asks to be a primary, by its spec, is not. */
export const servesAsPrimary = (domain: Pick<DomainHead, 'spec' | 'status'>): boolean =>
  isPrimary(domain) && domain.status?.servedAs?.role === 'Primary' && isServed(domain);
