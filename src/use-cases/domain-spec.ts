import { isDeepStrictEqual } from 'node:util';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainRole, RedirectView } from './domain-view.ts';
import { roleOf, saidOf } from './domain-view.ts';
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

/** What a client may say of a domain that exists; absent fields stay unchanged. */
export type DomainChange = { readonly [Field in 'role' | 'redirect' | 'prepare']?: NewDomain[Field] | undefined };

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

/** The spec after a change: a redirect keeps its destination unless another one is given. Throws invalid-redirect. */
export function changedSpec(before: Spec, { role = roleOf(before), redirect, prepare }: DomainChange): Spec {
  const said = saidOf(before);
  const kept = role === 'redirect' ? said.redirect : null;
  const wish = { role, redirect: redirect === undefined ? kept : redirect, prepare: prepare ?? said.prepare };
  return saying(before, newSpec(before.project, { hostname: before.hostname, ...wish }));
}

/** The spec with all that another one of the same hostname says in a client's words; what no client says of it stays. */
export function saying(
  { role: _, redirect: __, prepare: ___, ...others }: Spec,
  { role, redirect, prepare }: Spec,
): Spec {
  return { ...others, ...(role && { role }), ...(redirect && { redirect }), ...(prepare && { prepare }) };
}

/** Whether two specs of one hostname say the same in a client's words. */
export const isSameSpec = (one: Spec, other: Spec): boolean => isDeepStrictEqual(saidOf(one), saidOf(other));
