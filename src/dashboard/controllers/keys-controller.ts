import { createKey, deleteKey, listKeys } from '../../server/calls/key-calls.ts';
import type { Problem } from '../../use-cases/problem.ts';
import type { KeysModel, KeyView } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, call, field, layoutModelOf, noticeOf, paths, problemNotice } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { keysMain } from '../views/keys-view.ts';

interface Shown {
  readonly created?: KeysModel['created'];
  readonly problem?: Problem;
}

const shownAtMost = 100;

export const keysPage: DashboardPage = {
  method: 'get',
  path: '/keys',
  name: 'dashboardKeys',
  handle: (request) => show(request, {}),
};

async function show(request: PageRequest, { created = null, problem }: Shown): Promise<PageAnswer> {
  const { caller, session, csrf } = request.visitor;
  const mayWrite = caller.apiKey.spec.scopes.includes('keys:write');
  const items = mayWrite ? await keysOf(request) : [];
  const notice = problem ? problemNotice(problem) : noticeOf(request);
  const frame = layoutModelOf(request, { title: 'API keys', section: 'keys', notice });
  const html = layout(
    frame,
    keysMain({ keys: items, created, own: session.keyId, mayWrite, now: request.dependencies.now() }, csrf),
  );
  return { html, status: problem?.status ?? (created ? 201 : 200), headers: problem?.headers ?? {} };
}

export const createKeyAction: DashboardPage = {
  method: 'post',
  path: '/keys',
  name: 'dashboardCreateKey',
  handle(request) {
    return attempt(
      async () => {
        const { body } = await call(createKey, request, { body: keyOf(request) });
        const { id, key } = body as { id: string; key: string };
        return show(request, { created: { id, key } });
      },
      (problem) => show(request, { problem }),
    );
  },
};

async function keysOf(request: PageRequest): Promise<readonly KeyView[]> {
  const { body } = await call(listKeys, request, { query: { limit: String(shownAtMost) } });
  return (body as { items: readonly KeyView[] }).items;
}

/** Checkboxes arrive as one value or as several; the date as a browser's date field has it. */
function keyOf(request: PageRequest) {
  const { scopes } = request.form;
  const day = field(request, 'expiresAt');
  return {
    scopes: Array.isArray(scopes) ? (scopes as unknown[]) : scopes === undefined ? [] : [scopes],
    ...(day === '' ? {} : { expiresAt: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day }),
  };
}

export const deleteKeyAction: DashboardPage = {
  method: 'post',
  path: '/keys/:key/delete',
  name: 'dashboardDeleteKey',
  handle: (request) =>
    attempt(
      async () => {
        await call(deleteKey, request);
        return { to: `${paths.keys}?done=key-deleted` };
      },
      (problem) => show(request, { problem }),
    ),
};
