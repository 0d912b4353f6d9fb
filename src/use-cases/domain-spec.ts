import { isDeepStrictEqual } from 'node:util';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainRole, RedirectView } from './domain-view.ts';
import type { DomainLabels, LabelChange } from '../rules/domain-labels.ts';
import { changedLabels, isRoomFor, labelCharactersMaximum, labelsMaximum } from '../rules/domain-labels.ts';
import { roleOf, saidOf } from './domain-view.ts';
import { Problem } from './problem.ts';

type Spec = ProjectDomain['spec'];

/** Where a redirect is to lead; `to` defaults to the project's primary. */
interface RedirectWish {
  readonly to?: string | undefined;
  readonly status: RedirectView['status'];
}

/** A hostname to add. */
export interface NewDomain {
  readonly hostname: string;
  readonly role: DomainRole;
  readonly redirect?: RedirectWish | null | undefined;
  /** obtains the certificate before the hostname is switched here */
  readonly prepare?: boolean | undefined;
  /** absent: nothing is said of them */
  readonly labels?: DomainLabels | undefined;
}

/** What a client may say of a domain that exists; absent fields stay unchanged. */
export type DomainChange = { readonly [Field in 'role' | 'redirect' | 'prepare']?: NewDomain[Field] | undefined } & {
  readonly labels?: LabelChange | undefined;
};

/** A project, and the hostname that its redirects lead to unless another one is given; null where it has none. */
export interface ProjectToRedirect {
  readonly project: string;
  readonly primary: () => string | null;
}

/** The spec of the requested ProjectDomain. Throws invalid-redirect unless role and redirect match, and label-cap-reached. */
export function newSpec(
  { project, primary }: ProjectToRedirect,
  { hostname, role, redirect, prepare = false, labels = {} }: NewDomain,
): Spec {
  const common = withLabels({ project, hostname, ...(prepare ? { prepare } : {}) }, labels);
  if (role === 'primary') {
    if (redirect) throw new Problem('invalid-redirect', 'a primary has no `redirect`; omit it, or set role redirect');
    return { ...common, role: 'Primary' };
  }
  return { ...common, role: 'Redirect', redirect: whereTo(hostname, redirect ?? null, primary) };
}

/** Where a redirect leads: to the primary of its project unless it says otherwise. Throws invalid-redirect where there is no other one. */
function whereTo(hostname: string, wish: RedirectWish | null, primary: ProjectToRedirect['primary']): RedirectView {
  const to = wish?.to ?? primary();
  if (to !== null && (wish?.to !== undefined || to !== hostname)) return { to, status: wish?.status ?? 301 };
  throw new Problem(
    'invalid-redirect',
    'the project has no primary domain that it could redirect to; send `redirect`, such as {"to": "www.example.com"}',
  );
}

/** The spec with its labels changed. Throws label-cap-reached. */
export function withLabels({ labels: before = {}, ...spec }: Spec, change: LabelChange): Spec {
  const labels = changedLabels(before, change);
  if (labels === undefined) return spec;
  if (isRoomFor(labels)) return { ...spec, labels };
  throw new Problem(
    'label-cap-reached',
    `a domain has at most ${labelsMaximum} labels, of ${labelCharactersMaximum.toLocaleString('en')} characters together; take others away by null`,
  );
}

/** The spec after a change of anything but labels: a redirect keeps its destination unless another one is given. Throws invalid-redirect. */
export function changedSpec(
  before: Spec,
  { role = roleOf(before), redirect, prepare }: Omit<DomainChange, 'labels'>,
  primary: ProjectToRedirect['primary'],
): Spec {
  const said = saidOf(before);
  const kept = role === 'redirect' ? said.redirect : null;
  const wish = { role, redirect: redirect === undefined ? kept : redirect, prepare: prepare ?? said.prepare };
  return saying(before, newSpec({ project: before.project, primary }, { hostname: before.hostname, ...wish }));
}

/** The spec with all that another one of the same hostname says in a client's words; what no client says of it stays. */
export function saying(
  { role: _, redirect: __, prepare: ___, ...others }: Spec,
  { role, redirect, prepare }: Spec,
): Spec {
  return { ...others, ...(role && { role }), ...(redirect && { redirect }), ...(prepare && { prepare }) };
}

/** Whether a spec says what is wished of its hostname, in a client's words; a wish without labels says nothing of them. */
export const isAsWished = (spec: Spec, wished: Spec): boolean =>
  isDeepStrictEqual(saidOf(spec), saidOf(wished)) &&
  (wished.labels === undefined || isDeepStrictEqual({ ...spec.labels }, { ...wished.labels }));
