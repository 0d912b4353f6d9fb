import type { BulkAct } from '../../use-cases/bulk-domains.ts';
import { chosenMaximum, planBulk, runBulk } from '../../use-cases/bulk-domains.ts';
import type { ProjectPath } from '../../use-cases/find-in-account.ts';
import { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { field, fields, pathParameter, projectPathOf } from '../dashboard-page.ts';
import { attempt, pageAnswer } from '../page-answer.ts';
import { bulkPlanMain, bulkPlanTitle, bulkResultMain, bulkResultTitle } from '../views/bulk-view.ts';
import { domainsAnswer } from './domains-controller.ts';
import { setupPathOf } from './setup-controller.ts';

interface Selection extends ProjectPath {
  readonly act: BulkAct;
  readonly hostnames: readonly string[];
}

/** The domains that were selected on the list. Throws malformed-request for more than a page of them. */
function selectionOf(request: PageRequest): Selection {
  const act = field(request, 'act');
  const hostnames = [...new Set(selected(request))];
  if (act !== 'verify' && act !== 'remove')
    throw new Problem('malformed-request', 'choose what to do with the selected domains');
  if (hostnames.length > chosenMaximum)
    throw new Problem('malformed-request', `select at most ${chosenMaximum} domains`);
  return { ...projectPathOf(request), act, hostnames };
}

const selected = (request: PageRequest): readonly string[] =>
  fields(request, 'hostname').filter((hostname) => hostname !== '');

const noneSelected = (request: PageRequest): Promise<PageAnswer> =>
  domainsAnswer(request, { notice: { kind: 'none-selected' } });

const refused = (request: PageRequest, problem: Problem): Promise<PageAnswer> => domainsAnswer(request, { problem });

/** What would happen to each of the selected domains; or their records in one table, which changes nothing. */
export const bulkPlanAction = attempt(async (request) => {
  if (field(request, 'act') === 'set-up') {
    const hostnames = selected(request);
    if (hostnames.length === 0) return noneSelected(request);
    return { to: setupPathOf(pathParameter(request, 'project'), hostnames) };
  }
  const selection = selectionOf(request);
  if (selection.hostnames.length === 0) return noneSelected(request);
  const project = await showProject(request, selection);
  const model = { project, act: selection.act, planned: await planBulk(request, selection) };
  const title = bulkPlanTitle(request.view, model);
  return pageAnswer(request, { title, section: 'projects', main: bulkPlanMain(request.view, model) });
}, refused);

/** Lets it happen. Every domain counts as a request of its own, as it would with REST. */
export const bulkAction = attempt(async (request) => {
  const selection = selectionOf(request);
  const { act, hostnames } = selection;
  if (hostnames.length === 0) return noneSelected(request);
  const project = await showProject(request, selection);
  if (hostnames.length > 1) await request.spend(hostnames.length - 1);
  const model = { project, act, results: await runBulk(request, selection) };
  const title = bulkResultTitle(request.view, model);
  return pageAnswer(request, { title, section: 'projects', main: bulkResultMain(request.view, model) });
}, refused);
