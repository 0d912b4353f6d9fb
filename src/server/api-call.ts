import type { z } from 'zod';
import type { ProblemCode } from '../use-cases/problem.ts';
import type { Scope } from '../rules/scopes.ts';
import type { RequestContext } from '../use-cases/api-dependencies.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What one success of a call answers; schema null for an empty body. */
interface Success {
  readonly description: string;
  readonly schema: z.ZodType | null;
  /** application/json when absent */
  readonly contentType?: string;
}

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters of a path as OpenAPI writes it, decoded: `{project: string}` of `/v1/projects/{project}`. */
type PathParameters<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<Path>]: string };

/** A request whose key, quota, scope, query and body were found right. */
interface ApiRequest<Path extends string, Query, Body> extends RequestContext {
  readonly params: PathParameters<Path>;
  readonly query: Query;
  readonly body: Body;
}

export interface Answer {
  readonly status: number;
  /** undefined for an empty body */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** in place of a body: server-sent events, one string each, until it ends */
  readonly events?: AsyncIterable<string>;
}

/**
 * One call of the API: what express serves and what OpenAPI says, from one place. The doing is a use case; a call says what
 * goes into it and which status, headers and body its result is.
 */
export interface ApiCall<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** as OpenAPI writes it: /v1/projects/{project} */
  readonly path: Path;
  readonly name: string;
  readonly summary: string;
  /** the use case's; null: any key will do */
  readonly scope: Scope | null;
  /** spends nothing, and answers while limited or banned */
  readonly free?: true;
  readonly query?: Query;
  readonly body?: Body;
  readonly successes: Readonly<Record<number, Success>>;
  /** beyond those that every call can answer */
  readonly problems: readonly ProblemCode[];
  handle(request: ApiRequest<Path, z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** Infers path and schemas where a call is written down; the table forgets them. */
export const apiCall = <const Path extends string, Query extends z.ZodType, Body extends z.ZodType>(
  given: ApiCall<Path, Query, Body>,
): ApiCall => given;
