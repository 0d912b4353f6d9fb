/**
 * How cert-manager reports an order that ended although its authority refused nothing: it expired there, or the authority does not have it
 * any more (pkg/controller/acmeorders of cert-manager). Anchored before anything that a customer's server could have written.
 */
const unrefused =
  /^Failed to wait for order resource "[^"]*" to become ready: order is in "(?:expired" state|errored" state: Failed to (?:retrieve Order resource|fetch authorization|retrieve signed certificate): )/;

/** Whether the message of a failed CertificateRequest tells of such an end. No authority counts that as a failure of the name. */
export const isUnrefused = (message: string | undefined): boolean => unrefused.test(message ?? '');
