import { isWholeHostname, wwwCounterpart } from '../../rules/hostname.ts';
import { baseOf } from '../../rules/wildcard.ts';
import { freeCounterpart } from '../../use-cases/add-terms.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import { previewWithLookup } from '../../use-cases/look-up.ts';
import { lookupCost } from '../../use-cases/quota-admission.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { paths, pathParameter, projectPathOf } from '../dashboard-page.ts';
import { problemView } from '../notice.ts';
import { attempt } from '../page-answer.ts';
import type { AddForm, Look, Preview } from '../view-models.ts';
import { lookFragment } from '../views/look-view.ts';
import { previewFragment } from '../views/preview-view.ts';
import { domainsAnswer } from './domains-controller.ts';
import { addAsSent, newDomainOf, sentForm } from './sent-add-form.ts';
import { setupPathOf } from './setup-controller.ts';

/** Adds a domain, and the other one of `www` and the bare domain where that was chosen. */
export async function addAction(request: PageRequest): Promise<PageAnswer> {
  const form = await sentForm(request);
  const add = attempt(
    async () => {
      const { kind, domain } = await addAsSent(request, form, false);
      const done = kind === 'added' ? 'added' : 'there';
      const other = form.pair ? wwwCounterpart(form.hostname) : null;
      if (other === null) return { to: `${paths.domain(domain.project, domain.hostname)}?done=${done}` };
      if (hasDomain(request, other)) return { to: setupPathOf(domain.project, [form.hostname, other], done) };
      return addOther(request, form, other);
    },
    (_, problem) => domainsAnswer(request, { form, problem }),
  );
  return add(request);
}

const hasDomain = (request: PageRequest, hostname: string): boolean =>
  domainsIn(request, projectPathOf(request)).some(({ spec }) => spec.hostname === hostname);

/**
 * The other one becomes a redirect to the first, or to where that redirects. The first one was added and stays, whatever becomes of the
 * second.
 */
async function addOther(request: PageRequest, first: AddForm, other: string): Promise<PageAnswer> {
  const { hostname, role, to } = first;
  const form: AddForm = {
    ...first,
    hostname: other,
    role: 'redirect',
    to: role === 'primary' ? hostname : to,
    pair: false,
  };
  try {
    await request.spend(1);
    await addAsSent(request, form, false);
    return { to: setupPathOf(pathParameter(request, 'project'), [hostname, other], 'added-both') };
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    const notice = { kind: 'first-only', first: hostname, other, problem: problemView(problem) } as const;
    return domainsAnswer(request, { form, notice });
  }
}

/** What Add would answer, while a hostname is being typed. */
export async function previewAction(request: PageRequest): Promise<PageAnswer> {
  return { html: previewFragment(request.view, await previewOf(request, await sentForm(request))).text };
}

/** What DNS says, after a pause in typing. It counts as a lookup of REST does, where there is anything to look at. */
export async function lookAction(request: PageRequest): Promise<PageAnswer> {
  const form = await sentForm(request);
  return { html: lookFragment(request.view, await lookOf(request, form, await previewOf(request, form))).text };
}

/** The same on a page of its own, for whoever asks for it. */
export async function checkAction(request: PageRequest): Promise<PageAnswer> {
  const form = await sentForm(request);
  const preview = await previewOf(request, form);
  return domainsAnswer(request, { form, preview, look: await lookOf(request, form, preview) });
}

async function previewOf(request: PageRequest, form: AddForm): Promise<Preview> {
  const { hostname } = form;
  const project = pathParameter(request, 'project');
  if (hostname === '') return { kind: 'nothing' };
  if (hasDomain(request, hostname)) return { kind: 'there', project, hostname };
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
  const wanted = { ...projectPathOf(request), domain: newDomainOf(form) };
  const { lookup } = await previewWithLookup({ ...request, signal }, wanted);
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
