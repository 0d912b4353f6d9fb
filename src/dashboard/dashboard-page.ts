import type { ApiDependencies, RequestContext, Caller } from '../use-cases/api-dependencies.ts';
import type { Sessions, Session } from './sessions/sessions-port.ts';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { Problem } from '../use-cases/problem.ts';
import { accountView } from '../use-cases/account-and-usage.ts';
import type { LayoutModel, Notice } from './view-models.ts';

/** What pages need in addition to the dependencies of API calls. */
export interface DashboardDependencies extends ApiDependencies {
  readonly sessions: Sessions;
}

/** A signed-in user. */
export interface Visitor {
  readonly caller: Caller;
  readonly session: Session;
  /** the session token from the cookie */
  readonly token: string;
  readonly csrf: string;
}

/** A request of a session whose quota, CSRF token and origin were already checked; also the context of use cases. */
export interface PageRequest extends RequestContext {
  readonly dependencies: DashboardDependencies;
  readonly visitor: Visitor;
  /** path parameters, decoded */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** the form's fields; empty for GET */
  readonly form: Readonly<Record<string, unknown>>;
  /** whether the session is still valid; event streams check it repeatedly */
  readonly stillSignedIn: () => Promise<boolean>;
}

export type PageAnswer =
  /** a whole document, or a fragment for the script */
  | { readonly html: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  /** redirect to another page (303) */
  | { readonly to: string; readonly cookie?: string }
  | { readonly events: AsyncIterable<string> };

/** One page or action of the dashboard. */
export interface DashboardPage {
  readonly method: 'get' | 'post';
  /** below /dashboard */
  readonly path: string;
  readonly name: string;
  /** spends no quota, and is served even while limited or banned */
  readonly free?: true;
  handle(request: PageRequest): Promise<PageAnswer>;
}

/** Runs an action. If it fails with a problem, responds with `otherwise`: the visitor's page with the problem on it. */
export async function attempt(
  action: () => Promise<PageAnswer>,
  otherwise: (problem: Problem) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await action();
  } catch (error) {
    const problem = problemOfError(error);
    if (!problem) throw error;
    return otherwise(problem);
  }
}

/** A path parameter; the page's route defines it. */
export const pathParameter = ({ params }: Pick<PageRequest, 'params'>, name: 'project' | 'hostname' | 'key'): string =>
  params[name] ?? '';

export const field = ({ form }: PageRequest, name: string): string => {
  const value = form[name];
  return typeof value === 'string' ? value.trim() : '';
};

const domainPath = (project: string, hostname: string): string =>
  `/dashboard/projects/${encodeURIComponent(project)}/domains/${encodeURIComponent(hostname)}`;

export const paths = Object.freeze({
  projects: '/dashboard/projects',
  project: (name: string) => `/dashboard/projects/${encodeURIComponent(name)}`,
  /** `since` is the version of the newest domain that the page shows */
  events: (name: string, since: number) => `/dashboard/projects/${encodeURIComponent(name)}/events?since=${since}`,
  domain: domainPath,
  signIn: '/dashboard/sign-in',
  keys: '/dashboard/keys',
});

/** The notice on the page that follows an action, by the value of `done` in the URL. */
const doneWords: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  added: ['Domain added', 'Create the records shown below at your DNS provider; we check DNS automatically.'],
  there: ['The project already has this domain', 'Nothing was changed; this is its page.'],
  verify: ['Verification requested', 'We are checking DNS now; this page updates automatically.'],
  removed: ['Domain removed', 'It is no longer served. You can delete its DNS record now.'],
  removing: ['Domain is being removed', 'Its route is being removed; this takes a few seconds.'],
  'key-deleted': ['API key deleted', 'It no longer works.'],
};

export function noticeOf({ query }: PageRequest): Notice | null {
  const { done } = query;
  const words = typeof done === 'string' && Object.hasOwn(doneWords, done) ? doneWords[done] : undefined;
  return words ? { kind: 'done', title: words[0], detail: words[1], code: null } : null;
}

export const problemNotice = (problem: Problem): Notice => ({
  kind: 'problem',
  title: problem.document('').title,
  detail: problem.message,
  code: problem.code,
});

/** The frame of a signed-in visitor's page. */
export function layoutModelOf(
  { visitor }: Pick<PageRequest, 'visitor'>,
  { title, section, notice = null }: Pick<LayoutModel, 'title' | 'section'> & { readonly notice?: Notice | null },
): LayoutModel {
  const { caller, csrf } = visitor;
  const { account, limits } = caller;
  return {
    title,
    section,
    account: accountView(account, limits),
    csrf,
    notice,
  };
}
