import type { BulkAct } from '../../use-cases/bulk-domains.ts';
import { bulkMaximum, planBulk, runBulk } from '../../use-cases/bulk-domains.ts';
import { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, field, fields, layoutModelOf, pathParameter } from '../dashboard-page.ts';
import { bulkPlanMain, bulkPlanTitle, bulkResultMain, bulkResultTitle } from '../views/bulk-view.ts';
import { layout } from '../views/layout.ts';
import { domainsAnswer } from './domains-controller.ts';
import { setupPathOf } from './setup-controller.ts';

const path = '/projects/:project/domains/bulk';

interface Selection {
  readonly project: string;
  readonly act: BulkAct;
  readonly hostnames: readonly string[];
}

/** The domains that were selected on the list. Throws malformed-request for more than a page of them. */
function selectionOf(request: PageRequest): Selection {
  const act = field(request, 'act');
  const hostnames = [...new Set(fields(request, 'hostname').filter((hostname) => hostname !== ''))];
  if (act !== 'verify' && act !== 'remove')
    throw new Problem('malformed-request', 'choose what to do with the selected domains');
  if (hostnames.length > bulkMaximum) throw new Problem('malformed-request', `select at most ${bulkMaximum} domains`);
  return { project: pathParameter(request, 'project'), act, hostnames };
}

/** The records of the selected domains in one table, which changes nothing. */
async function setUp(request: PageRequest): Promise<PageAnswer> {
  const hostnames = fields(request, 'hostname').filter((hostname) => hostname !== '');
  if (hostnames.length === 0) return domainsAnswer(request, { notice: { kind: 'none-selected' } });
  return { to: setupPathOf(pathParameter(request, 'project'), hostnames) };
}

/** What would happen to each of the selected domains. */
export const bulkPlanAction: DashboardPage = {
  method: 'post',
  path,
  name: 'dashboardBulkPlan',
  handle: (request) =>
    attempt(
      async () => {
        if (field(request, 'act') === 'set-up') return await setUp(request);
        const selection = selectionOf(request);
        const { act, hostnames } = selection;
        if (hostnames.length === 0) return await domainsAnswer(request, { notice: { kind: 'none-selected' } });
        const project = await showProject(request, selection);
        const model = { project, act, planned: await planBulk(request, selection) };
        const frame = layoutModelOf(request, { title: bulkPlanTitle(request.view, model), section: 'projects' });
        return { html: layout(request.view, frame, bulkPlanMain(request.view, model)) };
      },
      (problem) => domainsAnswer(request, { problem }),
    ),
};

/** Lets it happen. Every domain counts as a request of its own, as it would with REST. */
export const bulkAction: DashboardPage = {
  method: 'post',
  path: `${path}/confirm`,
  name: 'dashboardBulk',
  handle: (request) =>
    attempt(
      async () => {
        const selection = selectionOf(request);
        const { act, hostnames } = selection;
        if (hostnames.length === 0) return await domainsAnswer(request, { notice: { kind: 'none-selected' } });
        const project = await showProject(request, selection);
        if (hostnames.length > 1) await request.spend(hostnames.length - 1);
        const model = { project, act, results: await runBulk(request, selection) };
        const frame = layoutModelOf(request, { title: bulkResultTitle(request.view, model), section: 'projects' });
        return { html: layout(request.view, frame, bulkResultMain(request.view, model)) };
      },
      (problem) => domainsAnswer(request, { problem }),
    ),
};
