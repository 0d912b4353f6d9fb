import type { ProjectDomain } from '../../generated/project-domain.ts';
import { hostnameMeant } from '../../rules/hostname.ts';
import { addDomain } from '../../server/calls/domain-calls.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { pageOf } from '../../use-cases/pagination.ts';
import { domainViews } from '../../use-cases/resource-views.ts';
import type { AddForm, DomainView, Preview } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, call, field, layoutModelOf, noticeOf, paths, problemNotice } from '../dashboard-page.ts';
import { domainsMain, previewFragment } from '../views/domains-view.ts';
import { layout } from '../views/layout.ts';
import { domainsOf, newestOf, projectView } from './projects-controller.ts';

const emptyForm: AddForm = { hostname: '', role: 'primary', to: '', status: '301' };

export const domainsPage: DashboardPage = {
  method: 'get',
  path: '/projects/:project',
  name: 'dashboardDomains',
  handle: (request) => list(request, emptyForm, null),
};

/** A page that is quickly made and quickly looked through; the others follow by a link. */
const shownAtMost = 200;

/** The list with its form; with a problem, what was typed is kept. */
async function list(request: PageRequest, form: AddForm, problem: Problem | null): Promise<PageAnswer> {
  const project = await projectView(request);
  const { dependencies, visitor } = request;
  const { customDomains } = visitor.caller.limits;
  const found = domainsOf(request, project.name);
  const cursor = typeof request.query.cursor === 'string' ? request.query.cursor : undefined;
  const { items, nextCursor } = pageOf(found, ({ spec, metadata }) => `${spec.hostname} ${metadata.name}`, {
    limit: shownAtMost,
    cursor,
  });
  const model = {
    project,
    domains: (await domainViews(dependencies, visitor.caller, items)).map((view) => view as DomainView),
    next: nextCursor,
    primaries: primariesOf(found),
    allowance: { enabled: customDomains.enabled, used: found.length, maxPerProject: customDomains.maxPerProject },
    form,
  };
  const notice = problem ? problemNotice(problem) : noticeOf(request);
  const frame = layoutModelOf(request, { title: `${project.name}: Domains`, section: 'projects', notice });
  const html = layout(frame, domainsMain(model, visitor.csrf), { live: paths.events(project.name, newestOf(found)) });
  return { html, status: problem?.status ?? 200, headers: problem?.headers ?? {} };
}

/** A project has one; more are declared by mistake, and that many are offered. */
const offeredAtMost = 20;

const primariesOf = (domains: readonly ProjectDomain[]): readonly string[] =>
  domains
    .filter(({ spec }) => spec.role !== 'Redirect')
    .map(({ spec }) => spec.hostname)
    .slice(0, offeredAtMost);

function formOf(request: PageRequest): AddForm {
  const role = field(request, 'role') === 'redirect' ? 'redirect' : 'primary';
  return {
    hostname: hostnameMeant(field(request, 'hostname')),
    role,
    to: hostnameMeant(field(request, 'to')),
    status: field(request, 'status') || '301',
  };
}

const bodyOf = ({ hostname, role, to, status }: AddForm) =>
  role === 'primary' ? { hostname, role } : { hostname, role, redirect: { to, status: Number(status) } };

export const addAction: DashboardPage = {
  method: 'post',
  path: '/projects/:project/domains',
  name: 'dashboardAdd',
  handle(request) {
    const form = formOf(request);
    return attempt(
      async () => {
        const { status, body } = await call(addDomain, request, { body: bodyOf(form) });
        const { hostname, project } = body as DomainView;
        return { to: `${paths.domain(project, hostname)}?done=${status === 201 ? 'added' : 'there'}` };
      },
      (problem) => list(request, form, problem),
    );
  },
};

/** What adding would ask for, while the hostname is being typed. */
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
    const { body } = await call(addDomain, request, { body: bodyOf(form), query: { dryRun: 'true' } });
    return { kind: 'possible', domain: body as DomainView };
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    return { kind: 'refused', detail: problem.message, code: problem.code };
  }
}
