import type { CustomerStatus } from '../../rules/next-step.ts';
import { customerStatuses } from '../../rules/next-step.ts';
import { addTerms } from '../../use-cases/add-terms.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { DomainFilter } from '../../use-cases/find-domains.ts';
import { findDomains } from '../../use-cases/find-domains.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { mayChange, paths, projectPathOf } from '../dashboard-page.ts';
import { noticeOf, pageAnswer } from '../page-answer.ts';
import type { AddForm, ListNotice, Look, Preview } from '../view-models.ts';
import { domainsMain } from '../views/domains-view.ts';
import { emptyForm, offerOf } from './sent-add-form.ts';

export const domainsPage = (request: PageRequest): Promise<PageAnswer> => domainsAnswer(request);

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
  const path = projectPathOf(request);
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
  const { problem = null, notice = null } = shown;
  return pageAnswer(request, {
    title: request.view.words.text('domains.title', { project: project.name }),
    section: 'projects',
    notice: noticeOf(request),
    problem,
    live: paths.events(project.name, newestVersion(domainsIn(request, path))),
    scripts: ['add-form.js', 'domain-list.js'],
    main: domainsMain(request.view, { notice, adding, list }),
  });
}

const isStatus = (value: unknown): value is CustomerStatus => customerStatuses.some((status) => status === value);

function filterOf({ query }: PageRequest): DomainFilter {
  const { status, q } = query;
  const text = typeof q === 'string' ? q.trim().toLowerCase().slice(0, maxTextLength) : '';
  return { status: isStatus(status) ? status : null, text };
}

const pageOf = ({ query }: PageRequest): number =>
  typeof query.page === 'string' && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
