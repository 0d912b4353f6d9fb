import { kebabCase } from '../rules/kebab-case.ts';
import { problemCodes } from '../rules/codes/problem-codes.ts';

export type ProblemCode = keyof typeof problemCodes;

/** The codes are documented below this URL. */
const typeBase = 'https://projectdomain.io/problems/';

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

/** Members that are words of the resources, which REST has in its own form. */
const membersBody = ({ reason, refusal, ...members }: Problem['members']): Problem['members'] => ({
  ...members,
  ...(typeof reason === 'string' && { reason: kebabCase(reason) }),
  ...(typeof refusal === 'string' && { refusal: kebabCase(refusal) }),
});

/** What time alone ends; the client is told to wait so many seconds. */
export const tryLater = (code: ProblemCode, detail: string, seconds = 5): Problem =>
  new Problem(code, detail, { headers: { 'retry-after': String(seconds) } });

/** An error with a stable code: thrown anywhere in a handler, it becomes a problem document. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    extra: {
      readonly members?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    // Nobody sees the stack of what is answered with a document, and to capture it costs more than the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.members = extra.members ?? {};
    this.headers = extra.headers ?? {};
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  document(requestId: string): ProblemDocument {
    const { status, title } = problemCodes[this.code];
    const { code, message: detail, members } = this;
    return { type: `${typeBase}${code}`, title, status, code, detail, requestId, ...membersBody(members) };
  }
}
