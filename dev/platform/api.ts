import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

/** One request. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** with its query */
  readonly path: string;
  readonly body?: object;
  /** of a PATCH: which kind of patch the body is */
  readonly type?: 'application/apply-patch+yaml' | 'application/merge-patch+json';
  /** a success with a warning is none */
  readonly refusesWarnings?: boolean;
  /** whom the user of the kubeconfig acts as */
  readonly as?: { readonly user: string; readonly groups?: readonly string[] };
}

/** Requests to the API server of Kubernetes as the user of a kubeconfig, without a process for each. */
export interface Api {
  /** JSON of the answer. Rejects with ApiError for whatever is no success, and with what the connection says. */
  readonly call: <T>(call: ApiCall) => Promise<T>;
  readonly get: <T>(path: string) => Promise<T>;
}

/** The API server said no; the message is as kubectl words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [
    {
      readonly user:
        { readonly token: string } | { readonly 'client-certificate-data': string; readonly 'client-key-data': string };
    },
  ];
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** null without one */
  readonly warning: string | null;
  readonly retryAfterMs: number | null;
}

/** A bound on a hang. */
const deadlineMs = 60_000;
/** A server that is busy says when to come again. */
const mostTries = 10;

/** For kubeconfigs written by this platform (JSON, everything inline). */
export function createApi(kubeconfig: string): Api {
  const send = createSender(kubeconfig);
  const call = async <T>(what: ApiCall): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const { status, text, warning, retryAfterMs } = await send(what);
      if (status < 300 && what.refusesWarnings && warning !== null) throw new ApiError(status, `Warning: ${warning}`);
      if (status < 300) return JSON.parse(text) as T;
      if (retryAfterMs === null || tries === mostTries) throw new ApiError(status, messageOf(status, text));
      await new Promise((done) => setTimeout(done, retryAfterMs));
    }
  };
  return { call, get: (path) => call({ method: 'GET', path }) };
}

/** Sends one request on connections that are kept, once more where one was closed as it was taken up again. */
function createSender(kubeconfig: string): (call: ApiCall) => Promise<Answer> {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  const decode = (text: string) => Buffer.from(text, 'base64');
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 4,
    ca: decode(cluster['certificate-authority-data']),
    ...('token' in user ? {} : { cert: decode(user['client-certificate-data']), key: decode(user['client-key-data']) }),
  });
  const send = (call: ApiCall): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, path, body } = call;
      const headers = headersOf(call, 'token' in user ? user.token : null);
      const asked = request(cluster.server + path, { agent, method, timeout: deadlineMs, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          const retryAfterMs = status === 429 ? Number(answered['retry-after'] ?? 1) * 1_000 : null;
          const { warning = null } = answered;
          resolve({ status, text: Buffer.concat(chunks).toString(), warning, retryAfterMs });
        });
      });
      asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer for ${deadlineMs / 1_000} s`)));
      asked.on('error', (error: NodeJS.ErrnoException) => {
        if (asked.reusedSocket && error.code === 'ECONNRESET') send(call).then(resolve, reject);
        else reject(error);
      });
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return send;
}

/** https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/ */
function headersOf({ body, type, as }: ApiCall, token: string | null): OutgoingHttpHeaders {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(as === undefined ? {} : { 'impersonate-user': as.user, 'impersonate-group': [...(as.groups ?? [])] }),
  };
}

/** As kubectl words a Status of the API server. */
function messageOf(status: number, text: string): string {
  try {
    const { reason, message } = JSON.parse(text) as { readonly reason?: string; readonly message?: string };
    return `Error from server${reason === undefined ? '' : ` (${reason})`}: ${message}`;
  } catch {
    return `Error from server: ${status} ${text.slice(0, 200)}`;
  }
}
