import type { CustomerStatus } from '../../rules/next-step.ts';
import { customerStatuses } from '../../rules/next-step.ts';
import { addTerms } from '../../use-cases/add-terms.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { DomainFilter } from '../../use-cases/find-domains.ts';
import { findDomains } from '../../use-cases/find-domains.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { AddForm, Look, Preview } from '../add-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { layoutModelOf, mayChange, noticeOf, paths, pathParameter, problemNotice } from '../dashboard-page.ts';
import type { ListNotice } from '../list-models.ts';
import { domainsMain } from '../views/domains-view.ts';
import { layout } from '../views/layout.ts';
import { emptyForm, offerOf } from './sent-add-form.ts';
import { outcomeOf } from './domain-controller.ts';

export const domainsPage: DashboardPage = {
  method: 'get',
  path: '/projects/:project',
  name: 'dashboardDomains',
  handle: (request) => domainsAnswer(request),
};

/** Domains per page: a page stays small, and one form can act on all of it. */
const pageSize = 40;
const maxTextLength = 253;

/** What the page shows beside its domains. */
interface Shown {
  /** as it was sent; null for an empty one */
  readonly form?: AddForm | null;
  readonly preview?: Preview;
  readonly look?: Look;
  readonly notice?: ListNotice;
  readonly problem?: Problem;
}

/** The project's page; after a problem, the form keeps its values. */
export async function domainsAnswer(request: PageRequest, shown: Shown = {}): Promise<PageAnswer> {
  const path = { project: pathParameter(request, 'project') };
  const project = await showProject(request, path);
  const terms = await addTerms(request, path);
  const filter = filterOf(request);
  const found = await findDomains(request, { ...path, filter, page: pageOf(request), size: pageSize });
  const offer = offerOf(request, project, terms);
  const adding = {
    project,
    terms,
    offer,
    form: shown.form ?? emptyForm(offer),
    preview: shown.preview ?? { kind: 'nothing' as const },
    look: shown.look ?? { kind: 'none' as const },
  };
  const list = { ...found, project, filter, mayWrite: mayChange(request) };
  const { problem, notice = null } = shown;
  const title = request.view.words.text('domains.title', { project: project.name });
  const frame = layoutModelOf(request, {
    title,
    section: 'projects',
    notice: problem ? problemNotice(problem) : noticeOf(request),
  });
  const live = paths.events(project.name, newestVersion(domainsIn(request, path)));
  const scripts = ['add-form.js', 'domain-list.js'] as const;
  const html = layout(request.view, frame, domainsMain(request.view, { notice, adding, list }), { live, scripts });
  return { html, ...outcomeOf(problem ?? null) };
}

const isStatus = (value: unknown): value is CustomerStatus => customerStatuses.some((status) => status === value);

function filterOf({ query }: PageRequest): DomainFilter {
  const { status, q } = query;
  const text = typeof q === 'string' ? q.trim().toLowerCase().slice(0, maxTextLength) : '';
  return { status: isStatus(status) ? status : null, text };
}

const pageOf = ({ query }: PageRequest): number =>
  typeof query.page === 'string' && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
