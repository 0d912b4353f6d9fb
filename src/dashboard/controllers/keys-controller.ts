import { keyNew } from '../../server/calls/key-calls.ts';
import { check } from '../../server/request-validation.ts';
import { createKey, deleteKey, listKeys } from '../../use-cases/api-keys.ts';
import type { Problem } from '../../use-cases/problem.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { field, paths, pathParameter } from '../dashboard-page.ts';
import { attempt, noticeOf, pageAnswer } from '../page-answer.ts';
import type { KeysModel } from '../view-models.ts';
import { keysMain } from '../views/keys-view.ts';

interface Shown {
  readonly created?: KeysModel['created'];
  readonly problem?: Problem;
}

const maxShown = 100;

export const keysPage = (request: PageRequest): Promise<PageAnswer> => show(request, {});

async function show(request: PageRequest, { created = null, problem }: Shown): Promise<PageAnswer> {
  const { visitor, caller, dependencies, view } = request;
  const mayWrite = caller.apiKey.spec.scopes.includes('keys:write');
  const keys = mayWrite ? (await listKeys(request, { limit: maxShown })).items : [];
  return pageAnswer(request, {
    title: view.words.text('keys.title'),
    section: 'keys',
    notice: noticeOf(request),
    problem: problem ?? null,
    status: created ? 201 : 200,
    main: keysMain(view, { keys, created, own: visitor.session.keyId, mayWrite, now: dependencies.now() }),
  });
}

const refused = (request: PageRequest, problem: Problem): Promise<PageAnswer> => show(request, { problem });

export const createKeyAction = attempt(async (request) => {
  const { id, key } = await createKey(request, check(keyNew, keyOf(request), 'form'));
  return show(request, { created: { id, key } });
}, refused);

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

export const deleteKeyAction = attempt(async (request) => {
  await deleteKey(request, { keyId: pathParameter(request, 'key') });
  return { to: `${paths.keys}?done=key-deleted` };
}, refused);
