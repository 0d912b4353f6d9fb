import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import express, { urlencoded } from 'express';
import { quotaHeaders } from '../../quota/headers.ts';
import type { Decision } from '../../quota/port.ts';
import { addressQuota, refusal } from '../admission.ts';
import { problemOf } from '../faults.ts';
import { Problem } from '../problem.ts';
import { stream } from '../stream.ts';
import type { ApiWorld } from '../world.ts';
import { assetOf, isAsset } from './assets.ts';
import { clearCookie, pageHeaders, refuseForeign, refuseForged, secretOf } from './guard.ts';
import type { Page, PageAnswer, Visitor } from './page.ts';
import { frameOf, paths } from './page.ts';
import { page } from './pages/frame.ts';
import { problemMain } from './pages/problem.ts';
import { signInMain } from './pages/sign-in.ts';
import { pages } from './pages-table.ts';
import { signIn } from './sections/sign-in.ts';
import { sessionQuota, visitorOf } from './visitor.ts';

export interface DashboardOptions {
  readonly world: ApiWorld;
  /** whose budget a request without a session spends */
  readonly addressOf: (request: Request) => string;
  readonly decided: (decision: Decision) => void;
  /** notes the page's name for log and metrics */
  readonly route: (response: Response, name: string, visitor: Visitor | null) => void;
  readonly failed: (error: unknown, requestId: string) => void;
}

const readForm = urlencoded({ extended: false, limit: '16kb', parameterLimit: 30 });
const aYear = 31_536_000;

/** The dashboard below /dashboard: pages of HTML over the same handlers and rules as the API. */
export function createDashboard(options: DashboardOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use((_request, response, next) => {
    response.set(pageHeaders);
    next();
  });
  router.get('/assets/:hash/:name', asset);
  router.get('/', (_request, response) => void response.redirect(303, paths.projects));
  router.get('/sign-in', named(options, 'dashboardSignIn'), showSignIn(options));
  router.post('/sign-in', named(options, 'dashboardSignIn'), readForm, trySignIn(options));
  router.post('/sign-out', named(options, 'dashboardSignOut'), readForm, signOut(options));
  for (const entry of pages) router[entry.method](entry.path, readForm, serve(options, entry));
  router.use(nothingHere(options));
  router.use(onError(options));
  return router;
}

const named =
  ({ route }: DashboardOptions, name: string): RequestHandler =>
  (_request, response, next) => {
    route(response, name, null);
    next();
  };

/** Its address holds the hash of its content, so it is kept for ever and never asked for again. */
const asset: RequestHandler = (request, response, next) => {
  const { name = '', hash } = request.params as Record<string, string>;
  const found = isAsset(name) ? assetOf(name) : null;
  if (found?.hash !== hash || found === null) return next();
  response.set({
    'content-type': found.type,
    'cache-control': `public, max-age=${aYear}, immutable`,
    vary: 'accept-encoding',
  });
  const packed = request.acceptsEncodings('gzip') === 'gzip';
  if (packed) response.set('content-encoding', 'gzip');
  response.send(packed ? found.packed : found.content);
};

/** What every request without a session spends. Throws what it is refused with. */
async function admitStranger(options: DashboardOptions, request: Request, response: Response): Promise<void> {
  admit(options, response, await addressQuota(options.world, options.addressOf(request)));
}

function admit({ decided }: DashboardOptions, response: Response, decision: Decision): void {
  decided(decision);
  response.set(quotaHeaders(decision));
  const refused = refusal(decision);
  if (refused) throw refused;
}

function showSignIn(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    await admitStranger(options, request, response);
    sendSignIn(response, 200, null);
  };
}

function sendSignIn(response: Response, status: number, problem: string | null): void {
  const frame = { title: 'Sign in', section: null, account: null, csrf: null, notice: null } as const;
  response
    .status(status)
    .type('html')
    .send(page(frame, signInMain({ problem })));
}

function trySignIn(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    await admitStranger(options, request, response);
    refuseForeign(request);
    const entered = await signIn(options.world, request);
    if ('problem' in entered) return sendSignIn(response, 401, entered.problem);
    response.set('set-cookie', entered.cookie).redirect(303, paths.projects);
  };
}

function signOut(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    const secret = secretOf(request);
    // Whoever is signed in may always leave, however busy the address was.
    if (secret === null) await admitStranger(options, request, response);
    refuseForeign(request);
    if (secret !== null) {
      refuseForged(secret, (request.body as Record<string, unknown> | undefined)?.csrf);
      await options.world.sessions.end(secret);
    }
    response.set('set-cookie', clearCookie()).redirect(303, paths.signIn);
  };
}

function serve(options: DashboardOptions, entry: Page): RequestHandler {
  return async (request, response) => {
    options.route(response, entry.name, null);
    const found = await visitorOf(options.world, request);
    if ('because' in found) return turnAway(options, { request, response, entry, because: found.because });
    options.route(response, entry.name, found);
    response.locals.visitor = found;
    admit(options, response, await sessionQuota(options.world, found));
    const form = (request.body ?? {}) as Record<string, unknown>;
    if (entry.method === 'post') {
      refuseForeign(request);
      refuseForged(found.secret, form.csrf);
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await entry.handle({
      world: options.world,
      visitor: found,
      params: request.params as Record<string, string>,
      query: request.query,
      form,
      stillSignedIn: () => visitorOf(options.world, request).then((again) => !('because' in again)),
      signal: AbortSignal.any([gone.signal, options.world.stopping]),
    });
    await send(response, answer);
  };
}

interface Turned {
  readonly request: Request;
  readonly response: Response;
  readonly entry: Page;
  readonly because: string | null;
}

/** Whoever is not signed in is shown the way, and why where there is a reason. */
async function turnAway(options: DashboardOptions, { request, response, entry, because }: Turned): Promise<void> {
  await admitStranger(options, request, response);
  if (because === null && entry.method === 'get') return response.redirect(303, paths.signIn);
  // Another site's form comes without the cookie: it must not be a way to sign people out.
  if (secretOf(request) !== null) response.set('set-cookie', clearCookie());
  sendSignIn(response, 401, because ?? 'you are not signed in');
}

async function send(response: Response, answer: PageAnswer): Promise<void> {
  if ('events' in answer) return stream(response, answer.events);
  if ('to' in answer) return response.redirect(303, answer.to);
  response
    .status(answer.status ?? 200)
    .set(answer.headers ?? {})
    .type('html')
    .send(answer.html);
}

function nothingHere(options: DashboardOptions): RequestHandler {
  return async (request, response) => {
    options.route(response, 'dashboardNothing', null);
    const found = await visitorOf(options.world, request);
    if ('because' in found) await admitStranger(options, request, response);
    else {
      response.locals.visitor = found;
      admit(options, response, await sessionQuota(options.world, found));
    }
    throw new Problem('not-found', 'there is no such page; the link may be old, or something was removed');
  };
}

/** Four parameters tell express that this handles errors. */
function onError(options: DashboardOptions) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const { requestId, visitor } = response.locals as { requestId: string; visitor?: Visitor };
    const problem = problemOf(error) ?? formProblem(error);
    if (!problem) options.failed(error, requestId);
    if (response.headersSent) return void response.destroy();
    const shown =
      problem ?? new Problem('internal-error', 'this is our fault; it is written down under the request id');
    const { title, status } = shown.document(requestId);
    const frame = visitor
      ? frameOf({ visitor }, { title, section: null })
      : ({ title, section: null, account: null, csrf: null, notice: null } as const);
    const main = problemMain({ title, detail: shown.message, code: shown.code, requestId });
    response.status(status).set(shown.headers).type('html').send(page(frame, main));
  };
}

/** What express' own form reader refuses. */
function formProblem(error: unknown): Problem | null {
  const { status } = error as { status?: number };
  if (status === 413) return new Problem('payload-too-large', 'the form is too large');
  if (status === 415 || status === 400) return new Problem('malformed-request', 'the form cannot be read');
  return null;
}
