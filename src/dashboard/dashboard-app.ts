import express, { urlencoded } from 'express';
import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { sendEventStream } from '../server/event-stream.ts';
import { refuseAnnounced, tooLarge } from '../server/head-fault.ts';
import { answerDecision } from '../server/quota-answer.ts';
import { readWithin, refuseLongNames } from '../server/request-validation.ts';
import { internalError, problemOfError } from '../use-cases/error-to-problem.ts';
import { Problem } from '../use-cases/problem.ts';
import { addressQuota, readAddressQuota } from '../use-cases/quota-admission.ts';
import { admit, admitAnonymous, admitFreely, admitTheRest, spendPages } from './admission.ts';
import type { DashboardOptions, DashboardPage, PageAnswer, Visitor } from './dashboard-page.ts';
import { paths } from './dashboard-page.ts';
import { handoverRoute } from './handover-route.ts';
import type { SignInRefusal } from './notice.ts';
import { problemView, withRetryAt } from './notice.ts';
import { frameOf, sendHtml } from './page-answer.ts';
import { pages } from './page-table.ts';
import {
  clearCookie,
  isNavigation,
  isForeign,
  originOf,
  pageHeaders,
  refuseForeign,
  refuseForged,
  tokenOf,
} from './request-guard.ts';
import { assetRoute } from './static-assets.ts';
import { viewOf } from './view-context.ts';
import { layout } from './views/layout.ts';
import { problemMain, problemWords } from './views/problem-view.ts';
import { signInMain } from './views/sign-in-view.ts';
import { readKey, signIn, tryQuota, visitorOf } from './visitor.ts';

/** Room for a page of selected domains, each with a name of 253 characters. */
const formLimitKiB = 16;
const parseForm = urlencoded({ extended: false, limit: formLimitKiB * 1_024, parameterLimit: 60 });

/** The dashboard below /dashboard: HTML pages on top of the same use cases as the API. */
export function createDashboard(options: DashboardOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use((_request, response, next) => {
    response.set(pageHeaders);
    next();
  });
  router.use('/records', handoverRoute(options));
  router.get('/assets/:hash/:name', readOnly(options), assetRoute(options.dependencies.brand));
  router.get('/', toProjects(options));
  router.get('/sign-in', named(options, 'dashboardSignIn'), showSignIn(options));
  router.post('/sign-in', named(options, 'dashboardSignIn'), trySignIn(options));
  router.get('/sign-out', toProjects(options));
  router.post('/sign-out', named(options, 'dashboardSignOut'), signOut(options));
  for (const entry of pages) router[entry.method](entry.path, serve(options, entry));
  router.use(notFound(options));
  router.use(onError(options));
  return router;
}

const named =
  ({ served }: DashboardOptions, name: string): RequestHandler =>
  (_request, response, next) => {
    served(response, name, null);
    next();
  };

/** Characters of one value of a form: an address that is pasted for a hostname; a hostname in a list has 253. */
const formValueMaximum = 2_048;

/** Throws malformed-request for a value that is longer than any that a form of ours has room for, before anything is done with it. */
function refuseLongValues(form: Readonly<Record<string, unknown>>): void {
  const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > formValueMaximum;
  if (!Object.values(form).flat().some(isLong)) return;
  throw new Problem('malformed-request', `a field of a form may have at most ${formValueMaximum} characters`);
}

/** The fields of a form. Rejects with the error of express' form parser, and for values that are too long. */
async function readForm(request: Request, response: Response): Promise<Readonly<Record<string, unknown>>> {
  refuseAnnounced(request, formLimitKiB);
  const form = await readWithin(request, formLimitKiB, () => parsedForm(request, response));
  refuseLongValues(form);
  return form;
}

/** express' form parser takes a form that was cut off before for an empty one. */
function parsedForm(request: Request, response: Response): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    void parseForm(request, response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else if (!request.complete) reject(new Problem('malformed-request', 'the form was cut off'));
      else resolve((request.body ?? {}) as Readonly<Record<string, unknown>>);
    });
  });
}

function showSignIn(options: DashboardOptions): RequestHandler {
  return async (_request, response) => {
    await admitFreely(options, response);
    sendSignIn(options, response, 200, null);
  };
}

function readOnly(options: DashboardOptions): RequestHandler {
  return async (_request, response, next) => {
    await admitFreely(options, response);
    next();
  };
}

/** For addresses that show nothing themselves. Whoever follows is admitted there. */
function toProjects(options: DashboardOptions): RequestHandler {
  return async (_request, response) => {
    await admitFreely(options, response);
    redirectTo(response, paths.projects);
  };
}

/** Express' own redirect() chooses a text by the header Accept, of which anybody may send 64 KiB; browsers show none. */
function redirectTo(response: Response, path: string): void {
  response.status(303).location(path).end();
}

function sendSignIn(
  { dependencies }: DashboardOptions,
  response: Response,
  status: number,
  refusal: SignInRefusal | null,
): void {
  const view = viewOf(dependencies);
  const frame = frameOf(null, { title: view.words.text('sign-in.title') });
  sendHtml(response, { html: layout(view, frame, signInMain(view, refusal)), status });
}

/** Whether the body came with the head: of what was received at once, the body is parsed in a turn after the head. */
async function isHere(request: Request): Promise<boolean> {
  await new Promise(setImmediate);
  return request.complete;
}

function trySignIn(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    const { dependencies, addressOf } = options;
    const spent = await addressQuota(dependencies, addressOf(response));
    // Where the address has used up its budget no form is waited for, but one that came with its head may have a correct key in it.
    const isFree = spent.kind !== 'allowed' && !isForeign(request, dependencies.publicUrl) && (await isHere(request));
    admit(options, response, spent, { free: isFree });
    refuseForeign(request, dependencies.publicUrl);
    try {
      await readForm(request, response);
    } catch (error) {
      answerDecision(response, spent, false);
      throw error;
    }
    const entered = readKey(dependencies, request);
    admit(options, response, await tryQuota(dependencies, entered, addressOf(response)));
    const result = await signIn(dependencies, request, entered);
    if ('refusal' in result) return sendSignIn(options, response, 401, result.refusal);
    redirectTo(response.set('set-cookie', result.cookie), paths.projects);
  };
}

function signOut(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    const token = tokenOf(request);
    const session = token === null ? null : await options.dependencies.sessions.find(token);
    // A signed-in visitor may always sign out, even when the address has used up its budget.
    if (session === null) await admitAnonymous(options, response);
    else await admitFreely(options, response);
    refuseForeign(request, options.dependencies.publicUrl);
    if (session !== null && token !== null) {
      const { csrf } = await readForm(request, response);
      refuseForged(token, csrf);
      await options.dependencies.sessions.end(token);
    }
    redirectTo(response.set('set-cookie', clearCookie()), paths.signIn);
  };
}

function serve(options: DashboardOptions, entry: DashboardPage): RequestHandler {
  return async (request, response) => {
    options.served(response, entry.name, null);
    const found = await visitorOf(options.dependencies, request);
    if ('because' in found) return requireSignIn(options, { request, response, entry, because: found.because });
    options.served(response, entry.name, found.caller);
    response.locals.visitor = found;
    await spendPages(options, response, found, entry.free ? { units: 0, free: true } : { units: 1 });
    const form = entry.method === 'post' ? await ownForm(options, { request, response, token: found.token }) : {};
    refuseLongNames(request.params);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await entry.handle({
      dependencies: options.dependencies,
      caller: found.caller,
      visitor: found,
      view: viewOf(options.dependencies, found.csrf),
      params: request.params as Record<string, string>,
      query: request.query,
      form,
      origin: originOf(request, options.dependencies.publicUrl),
      spend: (units) => spendPages(options, response, found, { units }),
      stillSignedIn: () => visitorOf(options.dependencies, request).then((again) => !('because' in again)),
      signal: AbortSignal.any([gone.signal, options.dependencies.stopping]),
    });
    await send(response, answer);
  };
}

interface SentForm {
  readonly request: Request;
  readonly response: Response;
  /** of the session */
  readonly token: string;
}

/** Reads a form that one of our own pages sent in this session. Throws for any other. */
async function ownForm({ dependencies }: DashboardOptions, { request, response, token }: SentForm) {
  refuseForeign(request, dependencies.publicUrl);
  const form = await readForm(request, response);
  refuseForged(token, form.csrf);
  return form;
}

interface SignInRequired {
  readonly request: Request;
  readonly response: Response;
  readonly entry: DashboardPage;
  readonly because: SignInRefusal | null;
}

/** Sends a client that is not signed in to the sign-in form, with the reason if there is one. */
async function requireSignIn(
  options: DashboardOptions,
  { request, response, entry, because }: SignInRequired,
): Promise<void> {
  const { dependencies, addressOf } = options;
  const isStale = tokenOf(request) !== null;
  const quotaOfAddress = isStale || entry.method === 'post' ? addressQuota : readAddressQuota;
  admit(options, response, await quotaOfAddress(dependencies, addressOf(response)), { free: entry.method === 'get' });
  if (because === null && entry.method === 'get') return redirectTo(response, paths.signIn);
  // Another site's form arrives without the SameSite cookie; clearing the cookie then would sign the visitor out.
  if (isStale && isNavigation(request)) response.set('set-cookie', clearCookie());
  sendSignIn(options, response, 401, because ?? { code: 'signed-out' });
}

async function send(response: Response, answer: PageAnswer): Promise<void> {
  if ('events' in answer) return sendEventStream(response, answer.events);
  if ('to' in answer) return redirectTo(response, answer.to);
  sendHtml(response, answer);
}

function notFound(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    options.served(response, 'dashboardNothing', null);
    const found = await visitorOf(options.dependencies, request);
    if ('because' in found) await admitAnonymous(options, response);
    else {
      response.locals.visitor = found;
      await spendPages(options, response, found, { units: 1 });
    }
    throw new Problem('not-found', 'this page does not exist; the link may be old, or something was removed');
  };
}

/** Express recognises an error handler by its four parameters. */
function onError(options: DashboardOptions) {
  return async (thrown: unknown, request: Request, response: Response, _next: NextFunction): Promise<void> => {
    const error = await admitTheRest(options, response).then(
      () => thrown,
      (refused: unknown) => refused,
    );
    const { requestId, visitor } = response.locals as { requestId: string; visitor?: Visitor };
    const problem = problemOfError(error) ?? formProblem(error);
    if (!problem) options.failed(error);
    if (response.headersSent) return void response.destroy();
    const shown = problem ?? internalError();
    const view = viewOf(options.dependencies, visitor?.csrf);
    const told = withRetryAt(problemView(shown), options.dependencies.now());
    const frame = frameOf(visitor ?? null, { title: problemWords(view, told).title });
    const main = problemMain(view, { problem: told, requestId, isForm: request.method === 'POST' });
    sendHtml(response, { html: layout(view, frame, main), status: shown.status, headers: shown.headers });
  };
}

/** The problem for an error of express' form parser; null for other errors. */
function formProblem(error: unknown): Problem | null {
  const { status } = error as { status?: number };
  if (status === 413) return tooLarge(formLimitKiB);
  if (status === 415 || status === 400) return new Problem('malformed-request', 'the form cannot be read');
  return null;
}
