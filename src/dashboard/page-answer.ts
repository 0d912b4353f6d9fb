import type { Response } from 'express';
import { accountView } from '../use-cases/account-and-usage.ts';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { Problem } from '../use-cases/problem.ts';
import type { PageAnswer, PageHandler, PageRequest, Visitor } from './dashboard-page.ts';
import type { Html } from './html.ts';
import type { Notice } from './notice.ts';
import { problemView } from './notice.ts';
import type { LayoutModel } from './view-models.ts';
import type { LayoutOptions } from './views/layout.ts';
import { layout } from './views/layout.ts';

/** What a page is named, and what it says at its top. */
interface Frame extends Pick<LayoutModel, 'title' | 'heading'> {
  readonly section?: LayoutModel['section'];
  readonly notice?: Notice | null;
}

/** The frame of a page; `visitor` is null for somebody who is not signed in. */
export function frameOf(
  visitor: Pick<Visitor, 'caller'> | null,
  { section = null, notice = null, ...frame }: Frame,
): LayoutModel {
  const account = visitor && accountView(visitor.caller.account, visitor.caller.limits);
  return { ...frame, section, notice, account };
}

interface Page extends Frame, Pick<LayoutOptions, 'live' | 'scripts'> {
  readonly main: Html;
  /** that an action of the page had: it says so, and is answered with its status */
  readonly problem?: Problem | null;
  /** without a problem; 200 when absent */
  readonly status?: number;
}

/** A whole page for a signed-in visitor. */
export function pageAnswer(
  { view, visitor }: Pick<PageRequest, 'view' | 'visitor'>,
  { main, problem = null, notice = null, status = 200, live, scripts, ...frame }: Page,
): PageAnswer {
  const shown: Notice | null = problem ? { kind: 'problem', problem: problemView(problem) } : notice;
  return {
    html: layout(view, frameOf(visitor, { ...frame, notice: shown }), main, { live, scripts }),
    status: problem?.status ?? status,
    headers: problem?.headers ?? {},
  };
}

/** Sends a document, or a fragment of one. */
export function sendHtml(
  response: Response,
  { html, status = 200, headers = {} }: Extract<PageAnswer, { readonly html: string }>,
): void {
  response.status(status).set(headers).type('html').send(html);
}

/** Runs an action. If it fails with a problem, responds with `otherwise`: the visitor's page with the problem on it. */
export const attempt =
  (action: PageHandler, otherwise: (request: PageRequest, problem: Problem) => Promise<PageAnswer>): PageHandler =>
  async (request) => {
    try {
      return await action(request);
    } catch (error) {
      const problem = problemOfError(error);
      if (!problem) throw error;
      return otherwise(request, problem);
    }
  };

/** The values of `done` in the address of a page that follows an action; the catalogue has their words. */
const doneCodes = [
  'added',
  'added-both',
  'verify-all',
  'there',
  'automatic',
  'primary',
  'redirect',
  'removed',
  'removing',
  'key-deleted',
] as const;

/** What was just done; null on a page that follows no action. */
export function noticeOf({ query, view: { words } }: Pick<PageRequest, 'query' | 'view'>): Notice | null {
  const done = doneCodes.find((code) => code === query.done);
  return done ? { kind: 'done', title: words.text(`done.${done}`), detail: words.text(`done.${done}-detail`) } : null;
}
