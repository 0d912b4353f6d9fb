import type { z } from 'zod';
import type { ProblemCode, ProblemDocument } from '../use-cases/problem.ts';
import type { Scope } from '../rules/api-key-format.ts';
import type { RequestContext } from '../use-cases/api-dependencies.ts';
import type { Idempotency } from './idempotency/kept-answers-port.ts';

/** Of a call that takes a body or makes something, what becomes of a repeat has to be said. */
type MethodOf =
  | { readonly method: 'get' | 'delete'; readonly idempotency?: never }
  | { readonly method: 'post' | 'put' | 'patch'; readonly idempotency: Idempotency };

/** One success response of a call; schema null for an empty body. */
interface Success {
  readonly description: string;
  readonly schema: z.ZodType | null;
  /** application/json when absent */
  readonly contentType?: string;
}

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The decoded parameters of an OpenAPI path template: `{project: string}` for `/v1/projects/{project}`. */
type PathParameters<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<Path>]: string };

/** A request whose key, quota, scope, query and body were already checked. */
export interface ApiRequest<Path extends string, Query, Body> extends RequestContext {
  readonly params: PathParameters<Path>;
  readonly query: Query;
  readonly body: Body;
  /**
   * Pays for what the request turned out to be more than one; rejects with the problem of a refusal. `whole`: where all of that is left, and not as
   * soon as one is.
   */
  readonly spend: (units: number, how?: 'whole') => Promise<void>;
  /** the document that answers an error, as part of an answer; one that nobody expected is logged */
  readonly documentOf: (error: unknown) => ProblemDocument;
}

export interface Answer {
  readonly status: number;
  /** undefined for an empty body */
  readonly body?: unknown;
  /** the body as JSON in the form of visibleJson, where that was made before */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** of what the client can change of what is shown; If-Match compares it */
  readonly version?: string;
  /** hash of the body, where that is known without reading it */
  readonly hash?: string;
  /** instead of a body: a stream of server-sent events, one string each */
  readonly events?: AsyncIterable<string>;
}

/**
 * One call of the API: the single source for what express serves and what OpenAPI describes. The work is done by a use
 * case; a call defines its input and maps its result to a status, headers and a body.
 */
export type ApiCall<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> = MethodOf & Described<Path, Query, Body>;

interface Described<Path extends string, Query extends z.ZodType, Body extends z.ZodType> {
  /** OpenAPI path template: /v1/projects/{project} */
  readonly path: Path;
  readonly name: string;
  readonly summary: string;
  /** the scope that the use case requires; null: any key will do */
  readonly scope: Scope | null;
  /** spends no quota, and is served even while limited or banned */
  readonly free?: true;
  /** how many requests one of these counts as, by its query before that is checked; 1 when absent */
  readonly cost?: (query: Readonly<Record<string, unknown>>) => number;
  /** takes many items, each of which counts as a request: a larger body, which is read when the account's turn comes */
  readonly bulk?: true;
  /** what the document says of the body, where its parts are checked one by one */
  readonly documentedBody?: z.ZodType;
  /** does not wait for a turn to write, although its method is not GET */
  readonly withoutTurn?: true;
  /** GET: its answers have an ETag, and If-None-Match is understood. Others: If-Match is */
  readonly conditional?: true;
  readonly query?: Query;
  readonly body?: Body;
  readonly successes: Readonly<Record<number, Success>>;
  /** besides those that every call can respond with */
  readonly problems: readonly ProblemCode[];
  handle(request: ApiRequest<Path, z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** Infers the types of path and schemas where a call is defined; the returned type no longer carries them. */
export const apiCall = <const Path extends string, Query extends z.ZodType, Body extends z.ZodType>(
  given: ApiCall<Path, Query, Body>,
): ApiCall => given;
