import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from '../use-cases/api-dependencies.ts';
import type { ClientAddress } from './client-address.ts';
import type { AnswerOnce } from './idempotency/answer-once.ts';

/** What is known about every finished request. No query, no header, no key, no token of a link. */
export interface Served {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** the call's name; null if no call matches */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly account: string | null;
  /** the public part of the key */
  readonly key: string | null;
  readonly address: string;
}

export interface AppOptions {
  readonly dependencies: ApiDependencies;
  readonly address: ClientAddress;
  /** whether a request came to a trusted proxy over HTTPS */
  readonly isHttps: (request: IncomingMessage) => boolean;
  /** called for every request before it is processed */
  readonly arrived: (request: IncomingMessage) => void;
  /** `of` says whose budget it was where it is not the plan's: that of the dashboard's pages */
  readonly decided: (decision: Decision, caller: Caller | null, of?: 'pages') => void;
  /** called for unexpected errors */
  readonly failed: (error: unknown) => void;
  /** called once for each request, before all other work of it */
  readonly observe: (requestId: string) => RequestObserver;
  /** answers requests with an idempotency key */
  readonly answerOnce: AnswerOnce;
  /** creates the handler for /dashboard */
  readonly pages: (mount: PagesMount) => RequestHandler;
}

/** Who observes one request. */
export interface RequestObserver {
  /** runs all work of the request, so that what is logged and traced meanwhile is known to belong to it */
  readonly within: <T>(work: () => T) => T;
  /** called once it is answered, or its client is gone */
  readonly served: (served: Served) => void;
}

/** What the app provides to the dashboard mounted in it. */
export interface PagesMount {
  /** the address whose budget a request without a session spends */
  readonly addressOf: (response: Response) => string;
  readonly decided: AppOptions['decided'];
  readonly failed: AppOptions['failed'];
  /** records the page's name and its caller, for log and metrics */
  readonly served: (response: Response, name: string, caller: Caller | null) => void;
}
