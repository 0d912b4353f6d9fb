import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { fromNow } from './from-now.ts';

/** Longer than ten seconds: a request sooner after the one before joins that, and starts no check (src/rules/verify-request.ts). */
const apartMs = 11_000;
/** Room for as many requests as no test makes: one that says a moment in the future is ignored. */
const beganMs = 3_600_000;

/**
 * Asks for checks as kubectl does, each of which is one of its own: as the requests say when they were made, it is enough that they say moments that are
 * far enough apart. For hostnames whose checks nobody else asks for.
 */
export function verifyRequests({ kubectl }: { readonly kubectl: Kubectl }) {
  let at = fromNow(-beganMs);
  return async (namespace: string, name: string): Promise<void> => {
    at += apartMs;
    const request = `projectdomain.io/verify-requested-at=${new Date(at).toISOString()}`;
    await kubectl.run(['annotate', '--overwrite', 'projectdomain', name, '-n', namespace, request]);
  };
}
