import { hostnameMeant } from '../../rules/hostname.ts';
import { check } from '../../server/request-validation.ts';
import { domainNew } from '../../server/schemas.ts';
import type { AddDomainResult } from '../../use-cases/add-domain.ts';
import { addDomain } from '../../use-cases/add-domain.ts';
import type { AddTerms } from '../../use-cases/add-terms.ts';
import { addTerms } from '../../use-cases/add-terms.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { ProjectView } from '../../use-cases/projects.ts';
import { showProject } from '../../use-cases/projects.ts';
import type { PageRequest } from '../dashboard-page.ts';
import { field, projectPathOf } from '../dashboard-page.ts';
import type { AddForm, AddOffer } from '../view-models.ts';

/** A project should have one primary; if more are declared by mistake, at most this many are offered. */
const maxOffered = 20;

/** What the form offers: the rules accept one primary, and redirects to it or to the platform address. */
export function offerOf(request: PageRequest, { name, platformHostname }: ProjectView, terms: AddTerms): AddOffer {
  const primaries = domainsIn(request, { project: name })
    .filter(({ spec }) => spec.role !== 'Redirect')
    .map(({ spec }) => spec.hostname)
    .slice(0, maxOffered);
  return {
    primary: primaries.length === 0,
    destinations: [...primaries, ...(platformHostname === null ? [] : [platformHostname])],
    pair: terms.kind === 'open' && terms.room >= 2,
    prepare: request.dependencies.settings.challengeZone !== null,
  };
}

export const emptyForm = ({ primary, destinations, pair }: AddOffer): AddForm => ({
  hostname: '',
  role: primary ? 'primary' : 'redirect',
  to: destinations[0] ?? '',
  status: '301',
  pair,
  prepare: false,
});

/** The form as it was sent; what it leaves out has the default of the project. */
export async function sentForm(request: PageRequest): Promise<AddForm> {
  const path = projectPathOf(request);
  const offer = offerOf(request, await showProject(request, path), await addTerms(request, path));
  const usual = emptyForm(offer);
  const role = field(request, 'role');
  return {
    hostname: hostnameMeant(field(request, 'hostname')),
    role: role === 'primary' || role === 'redirect' ? role : usual.role,
    to: hostnameMeant(field(request, 'to')) || usual.to,
    status: field(request, 'status') || usual.status,
    pair: field(request, 'pair') === 'yes',
    prepare: field(request, 'prepare') === 'yes',
  };
}

/** The form as a REST request body, so that the same schema validates it. */
const bodyOf = ({ hostname, role, to, status, prepare }: AddForm) =>
  role === 'primary'
    ? { hostname, role, prepare }
    : { hostname, role, prepare, redirect: { to, status: Number(status) } };

export const newDomainOf = (form: AddForm) => check(domainNew, bodyOf(form), 'form');

/** Adds what the form says, or answers what adding it would. */
export const addAsSent = (request: PageRequest, form: AddForm, dryRun: boolean): Promise<AddDomainResult> =>
  addDomain(request, { ...projectPathOf(request), domain: newDomainOf(form), dryRun });
