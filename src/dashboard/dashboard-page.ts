import type { ApiDependencies, RequestContext, Caller } from '../use-cases/api-dependencies.ts';
import type { Sessions, Session } from './sessions/sessions-port.ts';
import { problemOfError } from '../use-cases/error-to-problem.ts';
import type { DomainFilter } from '../use-cases/find-domains.ts';
import type { Problem } from '../use-cases/problem.ts';
import { accountView } from '../use-cases/account-and-usage.ts';
import type { Words } from './words/words.ts';
import type { Brand, ViewContext } from './view-context.ts';
import type { Notice } from './notice.ts';
import { problemView } from './notice.ts';
import type { LayoutModel } from './view-models.ts';

/** What pages need in addition to the dependencies of API calls. */
export interface DashboardDependencies extends ApiDependencies {
  readonly sessions: Sessions;
  readonly words: Words;
  readonly brand: Brand;
  /** the origin at which browsers have our pages; null for that of the Host header */
  readonly publicUrl: string | null;
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
  readonly view: ViewContext;
  /** path parameters, decoded */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** the form's fields; empty for GET */
  readonly form: Readonly<Record<string, unknown>>;
  /** scheme and host by which the browser reached the dashboard */
  readonly origin: string;
  /** whether the session is still valid; event streams check it repeatedly */
  readonly stillSignedIn: () => Promise<boolean>;
  /** Spends that much of the quota beside what the request itself spent. Rejects with the problem of a refusal. */
  readonly spend: (units: number) => Promise<void>;
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

/** Whether the key that opened the session may change domains. */
export const mayChange = ({ caller }: Pick<PageRequest, 'caller'>): boolean =>
  caller.apiKey.spec.scopes.includes('domains:write');

/** A path parameter; the page's route defines it. */
export const pathParameter = (
  { params }: Pick<PageRequest, 'params'>,
  name: 'project' | 'hostname' | 'key' | 'link',
): string => params[name] ?? '';

export const field = ({ form }: PageRequest, name: string): string => {
  const value = form[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Every value of a field that a form has several of, such as checkboxes. */
export const fields = ({ form }: Pick<PageRequest, 'form'>, name: string): readonly string[] => {
  const value = form[name];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string').map((one) => one.trim());
};

/** `done` says what was just done with them. */
function setUpPath(project: string, hostnames: readonly string[], done?: string): string {
  const query = new URLSearchParams(done === undefined ? {} : { done });
  for (const hostname of hostnames) query.append('hostname', hostname);
  return `/dashboard/projects/${encodeURIComponent(project)}/setup?${query.toString()}`;
}

const domainPath = (project: string, hostname: string): string =>
  `/dashboard/projects/${encodeURIComponent(project)}/domains/${encodeURIComponent(hostname)}`;

export const paths = Object.freeze({
  projects: '/dashboard/projects',
  project: (name: string) => `/dashboard/projects/${encodeURIComponent(name)}`,
  /** `since` is the version of the newest domain that the page shows */
  events: (name: string, since: number) => `/dashboard/projects/${encodeURIComponent(name)}/events?since=${since}`,
  domain: domainPath,
  setUp: setUpPath,
  signIn: '/dashboard/sign-in',
  keys: '/dashboard/keys',
  plan: '/dashboard/plan',
});

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

export const problemNotice = (problem: Problem): Notice => ({ kind: 'problem', problem: problemView(problem) });

/** A page of a project's domains, by what is looked for. */
export function listPath(project: string, { status, text }: DomainFilter, page = 1): string {
  const query = new URLSearchParams({
    ...(status === null ? {} : { status }),
    ...(text === '' ? {} : { q: text }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return query === '' ? paths.project(project) : `${paths.project(project)}?${query}`;
}

/** The frame of a signed-in visitor's page. */
export function layoutModelOf(
  { visitor }: Pick<PageRequest, 'visitor'>,
  { notice = null, ...frame }: Pick<LayoutModel, 'title' | 'heading' | 'section'> & { readonly notice?: Notice | null },
): LayoutModel {
  const { account, limits } = visitor.caller;
  return { ...frame, account: accountView(account, limits), notice };
}
