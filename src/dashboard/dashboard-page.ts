import type { ApiDependencies, RequestContext, Caller } from '../use-cases/api-dependencies.ts';
import type { Sessions, Session } from './sessions/sessions-port.ts';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { Problem } from '../use-cases/problem.ts';
import { accountView } from '../use-cases/account-and-usage.ts';
import type { LayoutModel, Notice } from './view-models.ts';

/** What pages need besides what calls of the API do. */
export interface DashboardDependencies extends ApiDependencies {
  readonly sessions: Sessions;
}

/** Who is signed in. */
export interface Visitor {
  readonly caller: Caller;
  readonly session: Session;
  /** what the cookie carries */
  readonly token: string;
  readonly csrf: string;
}

/** A request of a session whose budget, token and origin were found right; use cases take it as it is. */
export interface PageRequest extends RequestContext {
  readonly dependencies: DashboardDependencies;
  readonly visitor: Visitor;
  /** path parameters, decoded */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** the form's fields; empty for GET */
  readonly form: Readonly<Record<string, unknown>>;
  /** whether the session still opens anything: asked again by what lasts */
  readonly stillSignedIn: () => Promise<boolean>;
}

export type PageAnswer =
  /** a whole document, or a fragment for the script */
  | { readonly html: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  /** somewhere else, by GET */
  | { readonly to: string; readonly cookie?: string }
  | { readonly events: AsyncIterable<string> };

/** One page or action of the dashboard. */
export interface DashboardPage {
  readonly method: 'get' | 'post';
  /** below /dashboard */
  readonly path: string;
  readonly name: string;
  /** spends nothing, and answers while limited or banned */
  readonly free?: true;
  handle(request: PageRequest): Promise<PageAnswer>;
}

/** Runs an action. What it is refused with is told by the page that `otherwise` makes, where the visitor was. */
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

/** A parameter of the page's path; its route has it. */
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

/** What a page that follows an action says of it, by the word in its address. */
const doneWords: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  added: ['Domain added', 'Create the records shown below at your DNS provider; we check DNS automatically.'],
  there: ['The project has this domain already', 'Nothing was changed; this is its page.'],
  verify: ['Verification asked for', 'We are checking DNS now; this page updates automatically.'],
  removed: ['Domain removed', 'It is not served any more. The DNS record may be deleted now.'],
  removing: ['Domain is being removed', 'Its route is going; this takes a few seconds.'],
  'key-deleted': ['API key deleted', 'It opens nothing any more.'],
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

/** What surrounds a page of a visitor. */
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
