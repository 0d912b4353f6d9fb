import type { ProjectDomain } from '../generated/project-domain.ts';
import { isOwnSecret } from '../rules/own-certificate.ts';
import type { IssueView } from './issue-view.ts';
import { issueView } from './issue-view.ts';

export type DomainRole = 'primary' | 'redirect';
export type RedirectStatus = 301 | 302 | 307 | 308;

/** Whether the customer sent it, or it was ordered. */
type CertificateSource = 'automatic' | 'own';

type CertificateStatus = NonNullable<NonNullable<ProjectDomain['status']>['certificate']>;

export interface RedirectView {
  readonly to: string;
  readonly status: RedirectStatus;
}

/** The fields of a ProjectDomain in the terms of REST, the dashboard and the CLI. */
export interface DomainFields {
  readonly hostname: string;
  readonly project: string;
  readonly role: DomainRole;
  /** null for a primary */
  readonly redirect: RedirectView | null;
  /** the certificate is obtained before the hostname is switched here */
  readonly prepare: boolean;
  /** when a check last found something new, or one was asked for; RFC 3339, null before the first */
  readonly checkedAt: string | null;
  readonly issues: readonly IssueView[];
  /** of the certificate that is served; `notAfter`: RFC 3339 */
  readonly certificate: { readonly notAfter: string; readonly source: CertificateSource } | null;
}

export function domainFields({ spec, status = {} }: ProjectDomain): DomainFields {
  const { hostname, project } = spec;
  const { issues = [], certificate, check } = status;
  return {
    hostname,
    project,
    ...saidOf(spec),
    checkedAt: check?.checkedAt ?? null,
    issues: issues.map(issueView),
    certificate: certificate?.notAfter ? { notAfter: certificate.notAfter, source: sourceOf(certificate) } : null,
  };
}

const sourceOf = ({ served }: CertificateStatus): CertificateSource =>
  isOwnSecret(served?.secretName) ? 'own' : 'automatic';

/** The role; primary is the default. */
export const roleOf = ({ role }: Pick<ProjectDomain['spec'], 'role'>): DomainRole =>
  role === 'Redirect' ? 'redirect' : 'primary';

/** What a client says of a domain, as its spec has it. */
export const saidOf = (spec: ProjectDomain['spec']): Pick<DomainFields, 'role' | 'redirect' | 'prepare'> => ({
  role: roleOf(spec),
  redirect: spec.redirect ? { to: spec.redirect.to, status: spec.redirect.status ?? 301 } : null,
  prepare: spec.prepare === true,
});

/** Whether the operator has accepted it: a Pending domain waits for something other than DNS. */
export const isPastPending = ({ status }: ProjectDomain): boolean =>
  status?.state !== undefined && status.state !== 'Pending';

/** Until when caches may still give what was there before it was right; RFC 3339, null if they do not, or it is wrong. */
export function lingersUntil({ status }: ProjectDomain, now: number): string | null {
  const { lingersUntil: until, routing } = status?.check ?? {};
  return routing === 'Yes' && until !== undefined && Date.parse(until) > now ? until : null;
}
