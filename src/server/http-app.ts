import type { RequestListener } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { Decision } from '../quota/quota-port.ts';
import { addressQuota, quotaOf, wholeQuotaOf } from '../use-cases/quota-admission.ts';
import { callerOf, keyOf, unauthenticated } from '../use-cases/caller.ts';
import { createInputReader, refuseLongNames } from './request-validation.ts';
import { internalError, problemOfError } from '../use-cases/error-to-problem.ts';
import { mustHaveScope } from '../use-cases/use-case.ts';
import { visibleJson } from '../lib/printable.ts';
import { openApiDocument } from './openapi.ts';
import { preconditionFailed } from '../use-cases/precondition.ts';
import type { ProblemDocument } from '../use-cases/problem.ts';
import { Problem } from '../use-cases/problem.ts';
import { pathWithoutToken } from '../rules/handover-path.ts';
import { answerProblem, endWith, endWithJson } from './answer-problem.ts';
import type { Answer, ApiCall } from './api-call.ts';
import { beginRequest } from './begin-request.ts';
import { apiCalls } from './call-table.ts';
import { sendEventStream } from './event-stream.ts';
import { conditionOfChange, entityTag, hasAlready, readIfMatch, representationHash } from './entity-tag.ts';
import { bodyLimitKiB, bulkBodyLimitKiB, faultOfHead } from './head-fault.ts';
import type { Run } from './idempotency/answer-once.ts';
import { keyedRequest } from './idempotency/keyed-request.ts';
import { localsOf } from './locals.ts';
import { answerDecision, ensureQuotaHeaders } from './quota-answer.ts';
import { refuseAtOnce } from './refuse-at-once.ts';
import type { Caller } from '../use-cases/api-dependencies.ts';
import type { AppOptions, PagesMount } from './app-options.ts';

/**
 * The whole API: every response, whatever its status, carries the quota headers. Express routes to the call what is not refused at once.
 */
export function createApp(options: AppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(refuseFaultyHead(options));
  app.get('/v1/openapi.json', openApi(options));
  app.all('/v1/openapi.json', methodNotAllowed(options, ['get']));
  for (const path of new Set(apiCalls.map((route) => route.path))) {
    const here = apiCalls.filter((route) => route.path === path);
    const entry = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of here) entry[route.method](serve(options, route));
    entry.all(
      methodNotAllowed(
        options,
        here.map(({ method }) => method),
      ),
    );
  }
  app.use('/dashboard', options.pages(pagesMount(options)));
  app.use(notFound(options));
  app.use(onError(options));
  return beginRequest(options, { refuse: refuseAtOnce(options), handle: app });
}

/** Pages do their own admission: by session, not by key. */
function pagesMount({ decided, failed }: AppOptions): PagesMount {
  return {
    addressOf: (response) => localsOf(response).address,
    decided,
    failed,
    served: (response, name, caller) => {
      Object.assign(localsOf(response), { route: name, caller, admitted: true });
    },
  };
}

interface Terms {
  /** reads the quota without spending any, and never refuses a valid key */
  readonly free?: boolean;
  /** how many requests it counts as with a valid key */
  readonly cost?: number;
  /** all of them have to be left */
  readonly isWhole?: boolean;
  /** does not require a key */
  readonly open?: boolean;
}

/** Checks key and quota, before anything else. Throws the problem that the request is refused with. */
async function admit(options: AppOptions, request: Request, response: Response, terms: Terms): Promise<Caller | null> {
  const { dependencies } = options;
  const found = localsOf(response).found ?? callerOf(dependencies.caches, keyOf(request), dependencies.now());
  const caller = 'refused' in found ? null : found;
  const decision = await quotaFor(options, response, { caller, ...terms });
  Object.assign(localsOf(response), { caller, admitted: true });
  answerDecision(response, decision, caller !== null && terms.free === true);
  if (!('refused' in found) || terms.open) return caller;
  throw unauthenticated(found);
}

async function quotaFor(
  { dependencies, decided }: AppOptions,
  response: Response,
  { caller, free = false, cost = 1, isWhole = false }: Terms & { readonly caller: Caller | null },
): Promise<Decision> {
  const decision = await (caller
    ? (isWhole ? wholeQuotaOf : quotaOf)(dependencies, caller, free ? 0 : cost)
    : addressQuota(dependencies, localsOf(response).address));
  decided(decision, caller);
  return decision;
}

function serve(options: AppOptions, route: ApiCall): RequestHandler {
  const readInput = createInputReader(route, route.bulk ? bulkBodyLimitKiB : bodyLimitKiB);
  return async (request, response) => {
    localsOf(response).route = route.name;
    const terms = { free: route.free ?? false, cost: route.cost?.(request.query) ?? 1 };
    const caller = await admit(options, request, response, terms).catch(refusalOf);
    if (caller instanceof Problem) return answerProblem(response, caller);
    if (!caller) throw new Error('a call was admitted without a caller');
    mustHaveScope(caller, route.scope);
    const params = request.params as Record<string, string>;
    refuseLongNames(params);
    const { dependencies } = options;
    const signalOf = createSignal(response, dependencies.stopping);
    const work = async (over: AbortSignal | null) => {
      const { query, body } = await readInput(request, response);
      const ifMatch = route.method === 'get' ? null : conditionOfChange(request, route.conditional === true);
      const within = over && AbortSignal.any([signalOf(), over]);
      const run: Run = (random) =>
        route.handle({
          dependencies: random ? { ...dependencies, random } : dependencies,
          ...{ caller, params, query, body },
          ...(ifMatch ? { ifMatch } : {}),
          spend: spendFor(options, response, caller),
          documentOf: (error: unknown) => documentOf(options, response, error),
          get signal() {
            return within ?? signalOf();
          },
        });
      const keyed = keyedRequest(route, caller, request);
      const answer = await (keyed ? options.answerOnce(keyed, run) : run());
      const isTagged = route.conditional && route.method === 'get';
      await (isTagged ? sendTagged(request, response, answer) : send(response, answer));
    };
    if (!route.bulk) return work(null);
    await dependencies.bulks.run({ account: caller.account.metadata.name, signal: signalOf() }, work);
  };
}

/** Pays for what one request turned out to be more than one. */
const spendFor =
  (options: AppOptions, response: Response, caller: Caller) =>
  async (units: number, how?: 'whole'): Promise<void> => {
    const isWhole = how === 'whole';
    const decision = await quotaFor(options, response, { caller, cost: units, isWhole });
    answerDecision(response, decision, false, isWhole ? units + 1 : 1);
  };

/** What answers an error. One that nobody expected is logged with the request's id, which the document quotes. */
function documentOf({ failed }: AppOptions, response: Response, error: unknown): ProblemDocument {
  const problem = problemOfError(error);
  if (!problem) failed(error);
  return (problem ?? internalError()).document(localsOf(response).requestId);
}

/** Most requests of a flood end here, so they do not go through all that Express has left for an error. */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** Aborts when the client is gone or the server stops. Made for those who look at it, as most calls answer at once. */
function createSignal(response: Response, stopping: AbortSignal): () => AbortSignal {
  let signal: AbortSignal | null = null;
  return () => {
    if (signal) return signal;
    const gone = new AbortController();
    if (response.closed) gone.abort();
    else response.once('close', () => gone.abort());
    signal = AbortSignal.any([gone.signal, stopping]);
    return signal;
  };
}

const jsonType = 'application/json; charset=utf-8';

async function send(response: Response, { status, body, json, headers = {}, events }: Answer): Promise<void> {
  response.status(status).set(headers);
  if (events) return sendEventStream(response, events);
  if (json !== undefined) endWith(response, jsonType, json);
  else if (body === undefined) response.end();
  else endWithJson(response, jsonType, JSON.stringify(body));
}

/** Answers with an entity tag, and without a body to whoever has it already. */
async function sendTagged(request: Request, response: Response, answer: Answer): Promise<void> {
  const { body, version = null, json = visibleJson(JSON.stringify(body)), hash = representationHash(json) } = answer;
  const tag = entityTag(version, hash);
  const isMet = version === null || readIfMatch(request)?.(version) !== false;
  if (!isMet) throw preconditionFailed();
  response.setHeader('etag', tag);
  await send(response, hasAlready(request, tag) ? { status: 304 } : { ...answer, json });
}

/** Such a request is paid for as any other. */
function refuseFaultyHead(options: AppOptions): RequestHandler {
  const bulks = new Set(apiCalls.filter(({ bulk }) => bulk).map(({ method, path }) => `${method} ${path}`));
  return async (request, response, next) => {
    const isBulk = bulks.has(`${request.method.toLowerCase()} ${request.path}`);
    const fault = faultOfHead(request, isBulk ? bulkBodyLimitKiB : bodyLimitKiB);
    if (fault === null) return next();
    await admit(options, request, response, { open: true });
    throw fault;
  };
}

function openApi(options: AppOptions): RequestHandler {
  const document = visibleJson(JSON.stringify(openApiDocument(apiCalls)));
  return async (request, response) => {
    localsOf(response).route = 'showOpenApi';
    await admit(options, request, response, { open: true });
    endWith(response, jsonType, document);
  };
}

function methodNotAllowed(options: AppOptions, methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('get') ? ['head'] : [])]
    .map((method) => method.toUpperCase())
    .join(', ');
  return async (request, response) => {
    await admit(options, request, response, { open: true });
    throw new Problem('method-not-allowed', `${request.method} is not allowed here; use ${allow}`, {
      headers: { allow },
    });
  };
}

function notFound(options: AppOptions): RequestHandler {
  return async (request, response) => {
    await admit(options, request, response, { open: true });
    throw new Problem(
      'not-found',
      `there is nothing at ${pathWithoutToken(request.path).slice(0, 200)}; /v1/openapi.json lists every call`,
    );
  };
}

/** Express recognises an error handler by its four parameters. */
function onError(options: AppOptions) {
  return async (error: unknown, request: Request, response: Response, _next: NextFunction): Promise<void> => {
    const { admitted } = localsOf(response);
    const cause = admitted ? error : await refusalOr(error, admit(options, request, response, { open: true }));
    const problem = problemOfError(cause);
    if (!problem) options.failed(cause);
    await ensureQuotaHeaders(response, options.dependencies, localsOf(response).address);
    if (response.headersSent) return void response.destroy();
    answerProblem(response, problem ?? internalError());
  };
}

/** The error, unless admission refuses the request: then the refusal takes precedence. */
const refusalOr = (error: unknown, admission: Promise<unknown>): Promise<unknown> =>
  admission.then(
    () => error,
    (refused: unknown) => refused,
  );
