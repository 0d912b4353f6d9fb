import type { DashboardPage, PageAnswer, PageHandler, PageRequest } from '../../src/dashboard/dashboard-page.ts';
import type { Sessions } from '../../src/dashboard/sessions/sessions-port.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { presentation } from './view-context.ts';

/** The browser's part of a request: what stands in the address and in the form. */
export type Asked = Partial<Pick<PageRequest, 'params' | 'query' | 'form' | 'signal' | 'stillSignedIn' | 'spend'>>;

const noSessions: Sessions = {
  open: () => Promise.reject(new Error('no session is opened here')),
  find: () => Promise.resolve(null),
  end: () => Promise.resolve(),
};

/** A request of whoever signed in with this key; session, origin and quota are behind it. */
export function pageRequest(api: InMemoryApi, key: string, asked: Asked = {}): PageRequest {
  const context = api.as(key, asked.signal ? { signal: asked.signal } : {});
  const { caller } = context;
  const { account, keyId = '' } = caller.apiKey.spec;
  const session = { account, keyId, agent: 'agent' };
  return {
    ...context,
    dependencies: { ...api.dependencies, ...presentation, sessions: noSessions },
    view: { ...presentation, csrf: 'token-of-the-session' },
    visitor: { caller, session, token: 'token', csrf: 'token-of-the-session' },
    params: {},
    query: {},
    form: {},
    origin: 'https://dashboard.example',
    stillSignedIn: () => Promise.resolve(true),
    spend: () => Promise.resolve(),
    ...asked,
  };
}

export interface ShownPage {
  readonly status: number;
  readonly html: string;
  /** where a redirect leads; '' for a page */
  readonly to: string;
}

/** What a page answers, in one shape for all answers but streams. */
export async function shown(page: DashboardPage | PageHandler, request: PageRequest): Promise<ShownPage> {
  const handle = typeof page === 'function' ? page : page.handle;
  const answer: PageAnswer = await handle(request);
  if ('events' in answer) throw new Error('this page is a stream');
  if ('to' in answer) return { status: 303, html: '', to: answer.to };
  return { status: answer.status ?? 200, html: answer.html, to: '' };
}
