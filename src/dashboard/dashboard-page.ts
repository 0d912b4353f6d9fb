import type { PagesMount } from '../server/app-options.ts';
import type { ApiDependencies, RequestContext, Caller } from '../use-cases/api-dependencies.ts';
import type { Sessions, Session } from './sessions/sessions-port.ts';
import type { DomainPath, ProjectPath } from '../use-cases/find-in-account.ts';
import type { DomainFilter } from '../use-cases/find-domains.ts';
import type { Words } from './words/words.ts';
import type { Brand, ViewContext } from './view-context.ts';

/** What pages need in addition to the dependencies of API calls. */
export interface DashboardDependencies extends ApiDependencies {
  readonly sessions: Sessions;
  readonly words: Words;
  readonly brand: Brand;
  /** the origin at which browsers have our pages; null for that of the Host header */
  readonly publicUrl: string | null;
}

export interface DashboardOptions extends PagesMount {
  readonly dependencies: DashboardDependencies;
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
  | { readonly to: string }
  | { readonly events: AsyncIterable<string> };

export type PageHandler = (request: PageRequest) => Promise<PageAnswer>;

/** One page or action of the dashboard. */
export interface DashboardPage {
  readonly method: 'get' | 'post';
  /** below /dashboard */
  readonly path: string;
  readonly name: string;
  /** spends no quota, and is served even while limited or banned */
  readonly free?: true;
  readonly handle: PageHandler;
}

/** Whether the key that opened the session may change domains. */
export const mayChange = ({ caller }: Pick<PageRequest, 'caller'>): boolean =>
  caller.apiKey.spec.scopes.includes('domains:write');

/** A path parameter; the page's route defines it. */
export const pathParameter = (
  { params }: Pick<PageRequest, 'params'>,
  name: 'project' | 'hostname' | 'key' | 'link',
): string => params[name] ?? '';

/** The project in the path. */
export const projectPathOf = (request: Pick<PageRequest, 'params'>): ProjectPath => ({
  project: pathParameter(request, 'project'),
});

/** The domain in the path. */
export const domainPathOf = (request: Pick<PageRequest, 'params'>): DomainPath => ({
  ...projectPathOf(request),
  hostname: pathParameter(request, 'hostname'),
});

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

const projectPath = (name: string): string => `/dashboard/projects/${encodeURIComponent(name)}`;

/** `done` says what was just done with them. */
function setUpPath(project: string, hostnames: readonly string[], done?: string): string {
  const query = new URLSearchParams(done === undefined ? {} : { done });
  for (const hostname of hostnames) query.append('hostname', hostname);
  return `${projectPath(project)}/setup?${query.toString()}`;
}

export const paths = Object.freeze({
  projects: '/dashboard/projects',
  project: projectPath,
  /** `since` is the version of the newest domain that the page shows */
  events: (name: string, since: number) => `${projectPath(name)}/events?since=${since}`,
  domain: (project: string, hostname: string) => `${projectPath(project)}/domains/${encodeURIComponent(hostname)}`,
  setUp: setUpPath,
  signIn: '/dashboard/sign-in',
  keys: '/dashboard/keys',
  plan: '/dashboard/plan',
});

/** A page of a project's domains, by what is looked for. */
export function listPath(project: string, { status, text }: DomainFilter, page = 1): string {
  const query = new URLSearchParams({
    ...(status === null ? {} : { status }),
    ...(text === '' ? {} : { q: text }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return query === '' ? paths.project(project) : `${paths.project(project)}?${query}`;
}
