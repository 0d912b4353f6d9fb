import type { z } from 'zod';
import type { ProblemCode } from '../use-cases/problem.ts';
import type { Scope } from '../rules/scopes.ts';
import type { RequestContext } from '../use-cases/request-context.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What one success of a call answers; schema null for an empty body. */
interface Success {
  readonly description: string;
  readonly schema: z.ZodType | null;
  /** application/json when absent */
  readonly contentType?: string;
}

/** A request whose key, quota, scope, path, query and body were found right. */
export interface ApiRequest<Query = unknown, Body = unknown> extends RequestContext {
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

/** One call of the API: what express serves and what OpenAPI says, from one place. */
export interface ApiCall<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  readonly method: Method;
  /** as OpenAPI writes it: /v1/projects/{project} */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /** null: any key will do */
  readonly scope: Scope | null;
  /** spends nothing, and answers while limited or banned */
  readonly free?: true;
  readonly query?: Query;
  readonly body?: Body;
  /** body may be left out altogether */
  readonly bodyOptional?: true;
  readonly successes: Readonly<Record<number, Success>>;
  /** beyond those that every call can answer */
  readonly problems: readonly ProblemCode[];
  handle(request: ApiRequest<z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** Infers the schemas' types where a route is written down; the table forgets them. */
export const apiCall = <Query extends z.ZodType, Body extends z.ZodType>(given: ApiCall<Query, Body>): ApiCall => given;
