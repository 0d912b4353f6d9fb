/**
 * What a ResourceQuota refused, read off the API server's answer to a create (403 Forbidden, `exceeded quota: …, requested:
 * count/projects.projectdomain.io=1`; it has no reason of its own). Null for any other error.
 */
export function exceededQuota(error: unknown): 'projects' | 'domains' | null {
  const message = forbidden(error);
  if (!/exceeded quota: /.test(message)) return null;
  if (message.includes('count/projects.projectdomain.io=')) return 'projects';
  return message.includes('count/projectdomains.projectdomain.io=') ? 'domains' : null;
}

/** A ResourceQuota whose counting has not begun refuses everything; it is a matter of seconds. */
export const isQuotaNotCountedYet = (error: unknown): boolean => /status unknown for quota: /.test(forbidden(error));

function forbidden(error: unknown): string {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return status === 403 && typeof message === 'string' ? message : '';
}
