import { exceededQuota, isQuotaNotCountedYet } from '../resources/object-limits.ts';
import { statusOf } from './edit-object.ts';
import { Problem } from './problem.ts';

/** Whatever was thrown, as the problem that is answered; null for what nobody foresaw. */
export function problemOfError(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof URIError)
    return new Problem('malformed-request', 'the path has a percent sign that escapes nothing');
  if (!(error instanceof Error)) return null;
  if (error.name === 'SessionsUnavailable') return sessionsUnavailable();
  if (error.name === 'TransportError') return unavailable();
  const status = statusOf(error);
  return error.name === 'KubernetesError' && status !== null ? clusterProblem(status, error) : null;
}

/** What is answered in place of an error that nobody foresaw; the error itself is logged under the request's id. */
export const internalError = (): Problem =>
  new Problem('internal-error', 'this is our fault; it is written down under the request id');

/** What the API server of Kubernetes refused. That it forbids something is our fault, not the caller's: null. */
function clusterProblem(status: number, error: Error): Problem | null {
  if (status === 429 || status >= 500 || isQuotaNotCountedYet(error)) return unavailable();
  const full = exceededQuota(error);
  if (full)
    return new Problem(capCodes[full], 'the account has as many as it may; remove one, or ask for a larger plan');
  if (status === 409) return new Problem('conflict', 'somebody changed it at the same time; look and try again');
  if (status === 404) return new Problem('not-found', 'it is gone');
  return status === 400 || status === 422 ? new Problem('malformed-request', said(error)) : null;
}

const capCodes = { projects: 'project-cap-reached', domains: 'domain-cap-reached' } as const;

const unavailable = (): Problem =>
  new Problem(
    'cluster-unavailable',
    'the platform’s cluster does not answer; nothing was lost, try again in a few seconds',
    { headers: { 'retry-after': '5' } },
  );

const sessionsUnavailable = (): Problem =>
  new Problem(
    'sessions-unavailable',
    'who you are cannot be looked up at the moment; nothing was lost and you stay signed in, try again in a few seconds',
    { headers: { 'retry-after': '5' } },
  );

/** The sentence of the API server of Kubernetes behind its status and reason. */
const said = ({ message }: Error): string => message.replace(/^\d+ \w+: /, '').slice(0, 1_024);
