import type { ProjectDomain } from '../../generated/project-domain.ts';
import { hostnameMeant } from '../../rules/hostname.ts';
import { check } from '../../server/request-validation.ts';
import { domainNew } from '../../server/schemas.ts';
import type { AddDomainResult } from '../../use-cases/add-domain.ts';
import { addDomain } from '../../use-cases/add-domain.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import { listDomains } from '../../use-cases/read-domains.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { AddForm, DomainsModel, Preview } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, field, layoutModelOf, noticeOf, paths, pathParameter, problemNotice } from '../dashboard-page.ts';
import { domainsMain, previewFragment } from '../views/domains-view.ts';
import { layout } from '../views/layout.ts';

const emptyForm: AddForm = { hostname: '', role: 'primary', to: '', status: '301' };

export const domainsPage: DashboardPage = {
  method: 'get',
  path: '/projects/:project',
  name: 'dashboardDomains',
  handle: (request) => list(request, emptyForm, null),
};

/** Domains per page, so that a page renders fast and stays readable; a link leads to the next page. */
const pageSize = 200;

/** The list with its form; after a problem, the form keeps its values. */
async function list(request: PageRequest, form: AddForm, problem: Problem | null): Promise<PageAnswer> {
  const path = { project: pathParameter(request, 'project') };
  const project = await showProject(request, path);
  const cursor = typeof request.query.cursor === 'string' ? request.query.cursor : undefined;
  const all = domainsIn(request, path);
  const { items, nextCursor } = await listDomains(request, { ...path, page: { limit: pageSize, cursor } });
  const { enabled, maxPerProject } = request.caller.limits.customDomains;
  const model: DomainsModel = {
    project,
    domains: items,
    after: lastBefore(all, items[0]?.hostname),
    next: nextCursor,
    primaries: primariesOf(all),
    allowance: { enabled, used: all.length, maxPerProject },
    form,
  };
  const notice = problem ? problemNotice(problem) : noticeOf(request);
  const frame = layoutModelOf(request, { title: `${project.name}: Domains`, section: 'projects', notice });
  const live = paths.events(project.name, newestVersion(all));
  const html = layout(frame, domainsMain(model, request.visitor.csrf), { live });
  return { html, status: problem?.status ?? 200, headers: problem?.headers ?? {} };
}

/** The last hostname before the first one of a page, in the order of the list; null if there is none. */
function lastBefore(domains: readonly ProjectDomain[], first: string | undefined): string | null {
  const before = domains.map(({ spec }) => spec.hostname).filter((hostname) => first !== undefined && hostname < first);
  return before.reduce<string | null>((last, hostname) => (last === null || hostname > last ? hostname : last), null);
}

/** A project should have one primary; if more are declared by mistake, at most this many are offered. */
const maxOffered = 20;

const primariesOf = (domains: readonly ProjectDomain[]): readonly string[] =>
  domains
    .filter(({ spec }) => spec.role !== 'Redirect')
    .map(({ spec }) => spec.hostname)
    .slice(0, maxOffered);

function formOf(request: PageRequest): AddForm {
  const role = field(request, 'role') === 'redirect' ? 'redirect' : 'primary';
  return {
    hostname: hostnameMeant(field(request, 'hostname')),
    role,
    to: hostnameMeant(field(request, 'to')),
    status: field(request, 'status') || '301',
  };
}

/** The form as a REST request body, so that the same schema validates it. */
const bodyOf = ({ hostname, role, to, status }: AddForm) =>
  role === 'primary' ? { hostname, role } : { hostname, role, redirect: { to, status: Number(status) } };

const add = (request: PageRequest, form: AddForm, dryRun: boolean): Promise<AddDomainResult> =>
  addDomain(request, {
    project: pathParameter(request, 'project'),
    domain: check(domainNew, bodyOf(form), 'the form'),
    dryRun,
  });

export const addAction: DashboardPage = {
  method: 'post',
  path: '/projects/:project/domains',
  name: 'dashboardAdd',
  handle(request) {
    const form = formOf(request);
    return attempt(
      async () => {
        const { kind, domain } = await add(request, form, false);
        return { to: `${paths.domain(domain.project, domain.hostname)}?done=${kind === 'added' ? 'added' : 'there'}` };
      },
      (problem) => list(request, form, problem),
    );
  },
};

/** Previews adding a domain while its hostname is being typed. */
export const previewAction: DashboardPage = {
  method: 'post',
  path: '/projects/:project/domains/preview',
  name: 'dashboardPreview',
  async handle(request) {
    return { html: previewFragment(await previewOf(request)).text };
  },
};

async function previewOf(request: PageRequest): Promise<Preview> {
  const form = formOf(request);
  if (form.hostname === '' || (form.role === 'redirect' && form.to === '')) return { kind: 'nothing' };
  try {
    const { domain } = await add(request, form, true);
    return { kind: 'possible', domain };
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    return { kind: 'refused', detail: problem.message, code: problem.code };
  }
}
