import type { Request, RequestHandler, Response } from 'express';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { HandoverView } from '../use-cases/handover-links.ts';
import { showHandover } from '../use-cases/handover-links.ts';
import { Problem } from '../use-cases/problem.ts';
import { linkQuota } from '../use-cases/quota-admission.ts';
import { admit, admitAnonymous } from './admission.ts';
import type { DashboardOptions } from './dashboard-page.ts';
import { problemView, withRetryAt } from './notice.ts';
import { frameOf, sendHtml } from './page-answer.ts';
import { viewOf } from './view-context.ts';
import type { HandoverFailure } from './views/handover-view.ts';
import { handoverFailure, handoverMain } from './views/handover-view.ts';
import { layout } from './views/layout.ts';

/** The address of the page is its secret: nobody is told of it, and nothing remembers the page. */
const linkHeaders = Object.freeze({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
});

/**
 * Everything below /dashboard/records: one page for each hand-over link, which knows neither cookies nor sessions. Any
 * other path, and any token that opens nothing, gets the same answer.
 */
export const handoverRoute =
  (options: DashboardOptions): RequestHandler =>
  async (request, response) => {
    options.served(response, 'dashboardHandover', null);
    response.set(linkHeaders);
    try {
      sendPage(options, response, await handoverOf(options, request, response));
    } catch (error) {
      sendFailure(options, response, error);
    }
  };

async function handoverOf(options: DashboardOptions, request: Request, response: Response): Promise<HandoverView> {
  const { dependencies } = options;
  await admitAnonymous(options, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new Problem('method-not-allowed', 'this page can only be read', { headers: { allow: 'GET, HEAD' } });
  // As it was sent: in another encoding it is no token.
  const link = await dependencies.handoverLinks.find(request.path.slice(1));
  if (link === null) throw gone();
  const byLink = await linkQuota(dependencies, link.id);
  if (byLink.kind !== 'allowed') admit(options, response, byLink);
  const model = showHandover(dependencies, link);
  if (model === null) throw gone();
  return model;
}

const gone = (): Problem => new Problem('not-found', 'this link does not work; it may have expired or been revoked');

function sendPage({ dependencies }: DashboardOptions, response: Response, model: HandoverView): void {
  const view = viewOf(dependencies);
  const frame = frameOf(null, { title: view.words.text('handover.title') });
  sendHtml(response, { html: layout(view, frame, handoverMain(view, model), { isAlone: true }) });
}

function sendFailure({ dependencies, failed }: DashboardOptions, response: Response, error: unknown): void {
  const problem = problemOfError(error);
  if (!problem) failed(error);
  if (response.headersSent) return void response.destroy();
  const view = viewOf(dependencies);
  const failure = failureOf(problem);
  const { members } = problem ? withRetryAt(problemView(problem), dependencies.now()) : { members: {} };
  const frame = frameOf(null, { title: view.words.text(`handover.${failure}-title`) });
  const html = layout(view, frame, handoverFailure(view, failure, members), { isAlone: true });
  sendHtml(response, { html, status: problem?.status ?? 500, headers: problem?.headers ?? {} });
}

function failureOf(problem: Problem | null): HandoverFailure {
  if (problem?.code === 'quota-exceeded') return 'busy';
  return problem?.code === 'not-found' || problem?.code === 'method-not-allowed' ? 'gone' : 'away';
}
