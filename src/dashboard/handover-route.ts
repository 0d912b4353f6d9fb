import type { Request, RequestHandler, Response } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import type { PagesMount } from '../server/app-options.ts';
import { answerDecision } from '../server/quota-answer.ts';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { HandoverView } from '../use-cases/handover-links.ts';
import { showHandover } from '../use-cases/handover-links.ts';
import { Problem } from '../use-cases/problem.ts';
import { addressQuota, linkQuota } from '../use-cases/quota-admission.ts';
import type { DashboardDependencies } from './dashboard-page.ts';
import { problemView, withRetryAt } from './notice.ts';
import type { ViewContext } from './view-context.ts';
import type { HandoverFailure } from './views/handover-view.ts';
import { handoverFailure, handoverMain } from './views/handover-view.ts';
import { layout } from './views/layout.ts';

interface HandoverOptions extends PagesMount {
  readonly dependencies: DashboardDependencies;
}

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
  (options: HandoverOptions): RequestHandler =>
  async (request, response) => {
    options.served(response, 'dashboardHandover', null);
    response.set(linkHeaders);
    try {
      sendPage(options, response, await handoverOf(options, request, response));
    } catch (error) {
      sendFailure(options, response, error);
    }
  };

async function handoverOf(options: HandoverOptions, request: Request, response: Response): Promise<HandoverView> {
  const { dependencies } = options;
  admit(options, response, await addressQuota(dependencies, options.addressOf(response)));
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

function admit({ decided }: HandoverOptions, response: Response, decision: Decision): void {
  decided(decision, null);
  answerDecision(response, decision, false);
}

const viewOf = ({ dependencies: { words, brand } }: HandoverOptions): ViewContext => ({ words, brand, csrf: '' });

const frameOf = (title: string) => ({ title, section: null, account: null, notice: null }) as const;

function sendPage(options: HandoverOptions, response: Response, model: HandoverView): void {
  const view = viewOf(options);
  const frame = frameOf(view.words.text('handover.title'));
  response.type('html').send(layout(view, frame, handoverMain(view, model), { isAlone: true }));
}

function sendFailure(options: HandoverOptions, response: Response, error: unknown): void {
  const problem = problemOfError(error);
  if (!problem) options.failed(error);
  if (response.headersSent) return void response.destroy();
  const view = viewOf(options);
  const failure = failureOf(problem);
  const { members } = problem ? withRetryAt(problemView(problem), options.dependencies.now()) : { members: {} };
  const main = handoverFailure(view, failure, members);
  response
    .status(problem?.status ?? 500)
    .set(problem?.headers ?? {})
    .type('html')
    .send(layout(view, frameOf(view.words.text(`handover.${failure}-title`)), main, { isAlone: true }));
}

function failureOf(problem: Problem | null): HandoverFailure {
  if (problem?.code === 'quota-exceeded') return 'busy';
  return problem?.code === 'not-found' || problem?.code === 'method-not-allowed' ? 'gone' : 'away';
}
