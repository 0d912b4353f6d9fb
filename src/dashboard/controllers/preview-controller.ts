import { baseOf } from '../../rules/wildcard.ts';
import { isWholeHostname } from '../../rules/hostname.ts';
import { freeCounterpart } from '../../use-cases/add-terms.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import { previewWithLookup } from '../../use-cases/look-up.ts';
import { lookupCost } from '../../use-cases/quota-admission.ts';
import type { AddForm, Look, Preview } from '../add-models.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { pathParameter } from '../dashboard-page.ts';
import { problemView } from '../notice.ts';
import { lookFragment } from '../views/look-view.ts';
import { previewFragment } from '../views/preview-view.ts';
import { addAsSent, newDomainOf, sentForm } from './sent-add-form.ts';
import { domainsAnswer } from './domains-controller.ts';

const path = '/projects/:project/domains';

/** What Add would answer, while a hostname is being typed. */
export const previewAction: DashboardPage = {
  method: 'post',
  path: `${path}/preview`,
  name: 'dashboardPreview',
  async handle(request) {
    return { html: previewFragment(request.view, await previewOf(request, await sentForm(request))).text };
  },
};

/** What DNS says, after a pause in typing. It counts as a lookup of REST does, where there is anything to look at. */
export const lookAction: DashboardPage = {
  method: 'post',
  path: `${path}/look`,
  name: 'dashboardLook',
  async handle(request) {
    const form = await sentForm(request);
    return { html: lookFragment(request.view, await lookOf(request, form, await previewOf(request, form))).text };
  },
};

/** The same on a page of its own, for whoever asks for it. */
export const checkAction: DashboardPage = {
  method: 'post',
  path: `${path}/check`,
  name: 'dashboardCheck',
  async handle(request) {
    const form = await sentForm(request);
    const preview = await previewOf(request, form);
    return domainsAnswer(request, { form, preview, look: await lookOf(request, form, preview) });
  },
};

async function previewOf(request: PageRequest, form: AddForm): Promise<Preview> {
  const { hostname } = form;
  const project = pathParameter(request, 'project');
  if (hostname === '') return { kind: 'nothing' };
  if (domainsIn(request, { project }).some(({ spec }) => spec.hostname === hostname))
    return { kind: 'there', project, hostname };
  try {
    const { domain } = await addAsSent(request, form, true);
    const counterpart = await freeCounterpart(request, { project, hostname });
    return { kind: 'possible', domain, counterpart, isWhole: isWholeHostname(baseOf(hostname)) };
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    return { kind: 'refused', problem: problemView(problem) };
  }
}

/** How long DNS may take: whoever waits for it can go on without. */
const lookWithinMs = 1_900;

async function lookOf(request: PageRequest, form: AddForm, preview: Preview): Promise<Look> {
  if (preview.kind !== 'possible') return { kind: 'none' };
  const refused = await spendLookup(request);
  if (refused) return refused;
  const late = AbortSignal.timeout(lookWithinMs);
  const signal = AbortSignal.any([request.signal, late]);
  const project = pathParameter(request, 'project');
  const { lookup } = await previewWithLookup({ ...request, signal }, { project, domain: newDomainOf(form) });
  if (lookup) return { kind: 'seen', lookup };
  return { kind: late.aborted ? 'late' : 'busy' };
}

/** The request itself has spent one already. */
async function spendLookup(request: PageRequest): Promise<Look | null> {
  try {
    await request.spend(lookupCost - 1);
    return null;
  } catch (error) {
    const problem = problemOfError(error);
    if (problem?.code !== 'quota-exceeded') throw error;
    const { retryAfter = 1, retryAt = null } = problem.members;
    return { kind: 'quota', retryAfter: Number(retryAfter), retryAt: typeof retryAt === 'string' ? retryAt : null };
  }
}
