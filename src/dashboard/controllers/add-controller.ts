import { wwwCounterpart } from '../../rules/hostname.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { AddForm } from '../add-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, paths, pathParameter } from '../dashboard-page.ts';
import { problemView } from '../notice.ts';
import { setupPathOf } from './setup-controller.ts';
import { addAsSent, sentForm } from './sent-add-form.ts';
import { domainsAnswer } from './domains-controller.ts';

/** Adds a domain, and the other one of `www` and the bare domain where that was chosen. */
export const addAction: DashboardPage = {
  method: 'post',
  path: '/projects/:project/domains',
  name: 'dashboardAdd',
  async handle(request) {
    const form = await sentForm(request);
    return attempt(
      async () => {
        const { kind, domain } = await addAsSent(request, form, false);
        const other = counterpartOf(request, form);
        if (other !== null) return addOther(request, form, other);
        const both = form.pair ? pairOf(request, form) : null;
        if (both !== null) return { to: setupPathOf(domain.project, both, kind === 'added' ? 'added' : 'there') };
        return { to: `${paths.domain(domain.project, domain.hostname)}?done=${kind === 'added' ? 'added' : 'there'}` };
      },
      (problem) => domainsAnswer(request, { form, problem }),
    );
  },
};

/** What is to be added beside it: a redirect to it, or to where it redirects. Null where the project has it already. */
function counterpartOf(request: PageRequest, form: AddForm): AddForm | null {
  const { hostname, role, to, pair } = form;
  const other = pair ? wwwCounterpart(hostname) : null;
  if (other === null) return null;
  const all = domainsIn(request, { project: pathParameter(request, 'project') });
  if (all.some(({ spec }) => spec.hostname === other)) return null;
  return { ...form, hostname: other, role: 'redirect', to: role === 'primary' ? hostname : to, pair: false };
}

/** Both, where the project has had the other one before. */
function pairOf(request: PageRequest, { hostname }: AddForm): readonly string[] | null {
  const other = wwwCounterpart(hostname);
  const all = domainsIn(request, { project: pathParameter(request, 'project') });
  return other !== null && all.some(({ spec }) => spec.hostname === other) ? [hostname, other] : null;
}

/** The first one was added and stays, whatever becomes of the second. */
async function addOther(request: PageRequest, { hostname }: AddForm, other: AddForm): Promise<PageAnswer> {
  try {
    await request.spend(1);
    await addAsSent(request, other, false);
    return { to: setupPathOf(pathParameter(request, 'project'), [hostname, other.hostname], 'added-both') };
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    const notice = {
      kind: 'first-only',
      first: hostname,
      other: other.hostname,
      problem: problemView(problem),
    } as const;
    return domainsAnswer(request, { form: other, notice });
  }
}
