import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainRole, RedirectView } from './domain-fields.ts';
import { roleOf } from './domain-fields.ts';
import { Problem } from './problem.ts';

type Spec = ProjectDomain['spec'];

/** A hostname to add. */
export interface NewDomain {
  readonly hostname: string;
  readonly role: DomainRole;
  readonly redirect?: RedirectView | null | undefined;
  /** obtains the certificate before the hostname is switched here */
  readonly prepare?: boolean | undefined;
}

/** Absent fields stay unchanged. */
export interface DomainChange {
  readonly role?: DomainRole | undefined;
  readonly redirect?: RedirectView | null | undefined;
  readonly prepare?: boolean | undefined;
}

/** The spec of the requested ProjectDomain. Throws invalid-redirect unless role and redirect match. */
export function newSpec(project: string, { hostname, role, redirect, prepare = false }: NewDomain): Spec {
  const common = { project, hostname, ...(prepare ? { prepare } : {}) };
  if (role === 'primary') {
    if (redirect) throw new Problem('invalid-redirect', 'a primary has no `redirect`; omit it, or set role redirect');
    return { ...common, role: 'Primary' };
  }
  if (!redirect)
    throw new Problem('invalid-redirect', 'a redirect needs `redirect`, such as {"to": "www.example.com"}');
  return { ...common, role: 'Redirect', redirect: { to: redirect.to, status: redirect.status } };
}

/**
 * The spec after a change: a redirect keeps its destination unless another one is given, and the hostname's own certificate and nonce stay.
 * Throws invalid-redirect.
 */
export function changedSpec(before: Spec, { role, redirect, prepare = before.prepare }: DomainChange): Spec {
  const wanted = role ?? roleOf(before);
  const kept = before.redirect && { to: before.redirect.to, status: before.redirect.status ?? 301 };
  const next = redirect === undefined ? (wanted === 'redirect' ? kept : undefined) : (redirect ?? undefined);
  const spec = newSpec(before.project, { hostname: before.hostname, role: wanted, redirect: next, prepare });
  const { nonce, certificate } = before;
  return { ...spec, ...(nonce === undefined ? {} : { nonce }), ...(certificate === undefined ? {} : { certificate }) };
}

/** Whether two specs of one hostname are equivalent. */
export const isSameSpec = (one: Spec, other: Spec): boolean =>
  roleOf(one) === roleOf(other) &&
  one.redirect?.to === other.redirect?.to &&
  (one.redirect?.status ?? 301) === (other.redirect?.status ?? 301) &&
  (one.prepare ?? false) === (other.prepare ?? false);
