/**
 * Every error response of the API (RFC 9457, application/problem+json), in one catalogue of stable codes. `detail` says
 * what to do; extra members depend on the code.
 */
export const catalogue = {
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  'unknown-field': { status: 400, title: 'The request has an unknown field' },
  unauthenticated: { status: 401, title: 'A valid API key is required' },
  'plan-upgrade-required': { status: 403, title: 'Not included in the plan' },
  'scope-missing': { status: 403, title: 'The API key does not have the scope' },
  'cross-site': { status: 403, title: 'The form was not sent by the dashboard' },
  'abnormal-usage-detected': { status: 403, title: 'The API key is temporarily banned' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  'account-not-ready': { status: 409, title: 'The account is not set up' },
  'already-exists': { status: 409, title: 'The name is taken' },
  conflict: { status: 409, title: 'Changed by someone else in the meantime' },
  'domain-pending': { status: 409, title: 'The domain cannot be verified yet' },
  'project-not-deployed': { status: 409, title: 'The project has never been deployed' },
  'domain-cap-reached': { status: 409, title: 'The plan allows no more domains' },
  'project-cap-reached': { status: 409, title: 'The plan allows no more projects' },
  'key-cap-reached': { status: 409, title: 'The plan allows no more API keys' },
  'link-cap-reached': { status: 409, title: 'The domain has as many links as it may have' },
  'subdomain-reserved': { status: 409, title: 'The platform keeps the subdomain for itself' },
  'subdomain-taken': { status: 409, title: 'Another project has the subdomain' },
  'write-refused': { status: 409, title: 'The cluster refuses the change' },
  'primary-exists': { status: 409, title: 'The project has a primary domain' },
  'hostname-in-use': { status: 409, title: 'The hostname is in use' },
  'hostname-not-held': { status: 409, title: 'The account has not verified a hostname' },
  'payload-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'invalid-hostname': { status: 422, title: 'The hostname cannot be used' },
  'invalid-redirect': { status: 422, title: 'The redirect is not possible' },
  'prepare-unavailable': { status: 422, title: 'Hostnames cannot be prepared here' },
  'invalid-certificate': { status: 422, title: 'The certificate cannot be used' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  'quota-exceeded': { status: 429, title: 'The request limit is reached' },
  'too-many-writes': { status: 429, title: 'The account has too many pending changes' },
  'too-many-lookups': { status: 429, title: 'The account has too many lookups under way' },
  'too-many-streams': { status: 429, title: 'Too many event streams are open' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  'sessions-unavailable': { status: 503, title: 'We cannot confirm your sign-in right now' },
  'links-unavailable': { status: 503, title: 'We cannot look up links right now' },
  'cluster-unavailable': { status: 503, title: 'Changes cannot be made right now' },
  overloaded: { status: 503, title: 'The server is too busy right now' },
  starting: { status: 503, title: 'The server is starting or stopping' },
} as const;

export type ProblemCode = keyof typeof catalogue;

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
    return catalogue[this.code].status;
  }

  document(requestId: string): ProblemDocument {
    const { status, title } = catalogue[this.code];
    const { code, message: detail, members } = this;
    return { type: `${typeBase}${code}`, title, status, code, detail, requestId, ...members };
  }
}
