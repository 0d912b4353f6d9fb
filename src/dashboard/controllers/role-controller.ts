import { bothForms } from '../../use-cases/unicode-hostname.ts';
import { hostnameMeant } from '../../rules/hostname.ts';
import { check } from '../../server/request-validation.ts';
import { domainChange } from '../../server/schemas.ts';
import { changeDomain } from '../../use-cases/change-domain.ts';
import { makePrimary } from '../../use-cases/make-primary.ts';
import type { Problem } from '../../use-cases/problem.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, field, layoutModelOf, paths, problemNotice } from '../dashboard-page.ts';
import type { RedirectForm } from '../views/change-view.ts';
import { primaryMain, redirectMain } from '../views/change-view.ts';
import { hostnameHeading } from '../views/elements.ts';
import { layout } from '../views/layout.ts';
import { domainModel, domainPathOf, domainRoute, outcomeOf } from './domain-controller.ts';

/** Changes of a domain's role and destination, each asked on a page of its own. */

export const primaryPage: DashboardPage = {
  method: 'get',
  path: `${domainRoute}/primary`,
  name: 'dashboardAskPrimary',
  handle: (request) => askPrimary(request, null),
};

async function askPrimary(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const model = await domainModel(request, domainPathOf(request));
  const frame = frameOf(request, { key: 'primary.title', hostname: model.domain.hostname, problem });
  return { html: layout(request.view, frame, primaryMain(request.view, model)), ...outcomeOf(problem) };
}

interface Asked {
  readonly key: 'primary.title' | 'redirect.title';
  readonly hostname: string;
  readonly problem: Problem | null;
}

function frameOf(request: PageRequest, { key, hostname, problem }: Asked) {
  const { words } = request.view;
  return layoutModelOf(request, {
    title: words.text(key, { hostname: bothForms(hostname) }),
    heading: words.say(key, { hostname: hostnameHeading(hostname) }),
    section: 'projects',
    notice: problem && problemNotice(problem),
  });
}

export const primaryAction: DashboardPage = {
  method: 'post',
  path: `${domainRoute}/primary`,
  name: 'dashboardMakePrimary',
  handle: (request) =>
    attempt(
      async () => {
        const { project, hostname } = await makePrimary(request, { ...domainPathOf(request), spend: request.spend });
        return { to: `${paths.domain(project, hostname)}?done=primary` };
      },
      (problem) => askPrimary(request, problem),
    ),
};

export const redirectPage: DashboardPage = {
  method: 'get',
  path: `${domainRoute}/redirect`,
  name: 'dashboardAskRedirect',
  handle: (request) => askRedirect(request, null, null),
};

async function askRedirect(
  request: PageRequest,
  form: RedirectForm | null,
  problem: Problem | null,
): Promise<PageAnswer> {
  const model = await domainModel(request, domainPathOf(request));
  const frame = frameOf(request, { key: 'redirect.title', hostname: model.domain.hostname, problem });
  return { html: layout(request.view, frame, redirectMain(request.view, model, form)), ...outcomeOf(problem) };
}

export const redirectAction: DashboardPage = {
  method: 'post',
  path: `${domainRoute}/redirect`,
  name: 'dashboardRedirect',
  handle(request) {
    const form = { to: hostnameMeant(field(request, 'to')), status: field(request, 'status') || '301' };
    return attempt(
      async () => {
        const wanted = { role: 'redirect', redirect: { to: form.to, status: Number(form.status) } };
        const change = check(domainChange, wanted, 'the form');
        const { project, hostname } = await changeDomain(request, { ...domainPathOf(request), change });
        return { to: `${paths.domain(project, hostname)}?done=redirect` };
      },
      (problem) => askRedirect(request, form, problem),
    );
  },
};
