import type { ProjectDomain } from '../generated/project-domain.ts';

export type DomainRole = 'primary' | 'redirect';
export type RedirectStatus = 301 | 302 | 307 | 308;

export interface RedirectView {
  readonly to: string;
  readonly status: RedirectStatus;
}

/** What was found instead of the desired record, and what to change. */
export interface IssueView {
  readonly code: string;
  readonly message: string;
  /** the offending record in master-file format; '' if a record is missing */
  readonly record: string;
  readonly fix: string;
}

/** The fields of a ProjectDomain in the terms of REST, the dashboard and the CLI. */
export interface DomainFields {
  readonly hostname: string;
  readonly project: string;
  readonly role: DomainRole;
  /** null for a primary */
  readonly redirect: RedirectView | null;
  readonly issues: readonly IssueView[];
  /** of the certificate that is served; RFC 3339 */
  readonly certificate: { readonly notAfter: string } | null;
}

export function domainFields({ spec, status = {} }: ProjectDomain): DomainFields {
  const { hostname, project, redirect } = spec;
  const { issues = [], certificate } = status;
  return {
    hostname,
    project,
    role: roleOf(spec),
    redirect: redirect ? { to: redirect.to, status: redirect.status ?? 301 } : null,
    issues: issues.map(({ code, message, record, fix }) => ({ code, message, record, fix })),
    certificate: certificate?.notAfter ? { notAfter: certificate.notAfter } : null,
  };
}

/** The role; primary is the default. */
export const roleOf = ({ role }: Pick<ProjectDomain['spec'], 'role'>): DomainRole =>
  role === 'Redirect' ? 'redirect' : 'primary';

/** Whether the operator has accepted it: a Pending domain waits for something other than DNS. */
export const isPastPending = ({ status }: ProjectDomain): boolean =>
  status?.state !== undefined && status.state !== 'Pending';
