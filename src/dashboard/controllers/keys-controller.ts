import { check } from '../../server/request-validation.ts';
import { keyNew } from '../../server/calls/key-calls.ts';
import { createKey, deleteKey, listKeys } from '../../use-cases/api-keys.ts';
import type { Problem } from '../../use-cases/problem.ts';
import type { KeysModel } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, field, layoutModelOf, noticeOf, paths, pathParameter, problemNotice } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { keysMain } from '../views/keys-view.ts';

interface Shown {
  readonly created?: KeysModel['created'];
  readonly problem?: Problem;
}

const maxShown = 100;

export const keysPage: DashboardPage = {
  method: 'get',
  path: '/keys',
  name: 'dashboardKeys',
  handle: (request) => show(request, {}),
};

async function show(request: PageRequest, { created = null, problem }: Shown): Promise<PageAnswer> {
  const { session } = request.visitor;
  const mayWrite = request.caller.apiKey.spec.scopes.includes('keys:write');
  const keys = mayWrite ? (await listKeys(request, { limit: maxShown })).items : [];
  const notice = problem ? problemNotice(problem) : noticeOf(request);
  const frame = layoutModelOf(request, { title: request.view.words.text('keys.title'), section: 'keys', notice });
  const html = layout(
    request.view,
    frame,
    keysMain(request.view, { keys, created, own: session.keyId, mayWrite, now: request.dependencies.now() }),
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
        const { id, key } = await createKey(request, check(keyNew, keyOf(request), 'the form'));
        return show(request, { created: { id, key } });
      },
      (problem) => show(request, { problem }),
    );
  },
};

/** Checkboxes arrive as one value or several; the date as YYYY-MM-DD, the format of a browser's date field. */
function keyOf(request: PageRequest) {
  const { scopes } = request.form;
  const day = field(request, 'expiresAt');
  const name = field(request, 'name');
  return {
    ...(name === '' ? {} : { name }),
    scopes: Array.isArray(scopes) ? scopes : scopes === undefined ? [] : [scopes],
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
        await deleteKey(request, { keyId: pathParameter(request, 'key') });
        return { to: `${paths.keys}?done=key-deleted` };
      },
      (problem) => show(request, { problem }),
    ),
};
