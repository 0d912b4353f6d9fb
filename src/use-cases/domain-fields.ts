import type { ProjectDomain } from '../generated/project-domain.ts';

export type DomainRole = 'primary' | 'redirect';
export type RedirectStatus = 301 | 302 | 307 | 308;

export interface RedirectView {
  readonly to: string;
  readonly status: RedirectStatus;
}

/** What was found in place of what is wanted, and what to change. */
interface IssueView {
  readonly code: string;
  readonly message: string;
  /** the offending record as a master-file line; '' where one is missing */
  readonly record: string;
  readonly fix: string;
}

/** What a ProjectDomain says of itself, in the words of REST, the dashboard and the CLI. */
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

/** A domain is a primary unless it says otherwise. */
export const roleOf = ({ role }: Pick<ProjectDomain['spec'], 'role'>): DomainRole =>
  role === 'Redirect' ? 'redirect' : 'primary';

/** Whether the operator has accepted it: what is Pending waits for something else than DNS. */
export const isPastPending = ({ status }: ProjectDomain): boolean =>
  status?.state !== undefined && status.state !== 'Pending';
