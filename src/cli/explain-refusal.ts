import { KubernetesError, TransportError } from '../kubernetes/kubernetes-errors.ts';
import { printable, visible } from '../lib/printable.ts';
import { messageOf } from '../lib/error-serializer.ts';

/** Which API server was called, and with which context. */
export interface AskedCluster {
  readonly server: string;
  readonly context: string;
}

/** One sentence that says why a request was refused or could not be made, and what to do. */
export function explainRefusal(error: unknown, asked: AskedCluster): string {
  if (error instanceof KubernetesError) return printable(refused(error, asked));
  if (error instanceof TransportError) return printable(unanswered(error, asked));
  return visible(messageOf(error));
}

function refused(error: KubernetesError, { server, context }: AskedCluster): string {
  const said = error.message.replace(/^\d+ \S+: /, '');
  switch (error.status) {
    case 401:
      return `${server} does not accept the credentials of context ${context}; log in again, or choose another --context`;
    case 403:
      return forbidden(said);
    case 404:
      // Listing a known kind that has no objects returns an empty list, so the kind itself is missing.
      return `the cluster at ${server} does not know this resource: install the CRDs of projectdomain first (they come with its Helm chart), or choose another --context`;
    case 429:
    case 503:
      return `${server} is overloaded or starting (${said.trim()}); try again in a moment`;
    default:
      return `the cluster refused it: ${said}`;
  }
}

const rbac =
  /User "(?<user>[^"]*)" cannot (?<verb>\S+) resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]*)"| at the cluster scope)/;

function forbidden(said: string): string {
  const { user, verb = '', resource = '', group, namespace } = rbac.exec(said)?.groups ?? {};
  if (user === undefined) return `the cluster refused it: ${said}`;
  const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
  const what = `'${verb}' on ${resource}${group ? `.${group}` : ''} ${where}`;
  return `${user} lacks the right ${what}; ${remedy(verb, resource, namespace)}`;
}

function remedy(verb: string, resource: string, namespace: string | undefined): string {
  if (resource !== 'projectdomains') return 'only administrators of the platform may do this';
  if (namespace === undefined) return 'name one namespace with -n instead, or ask an administrator for access';
  const role = ['get', 'list', 'watch'].includes(verb) ? 'view' : 'edit';
  return `ask an administrator to bind the ClusterRole ${role} there, or name another namespace with -n`;
}

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/;

function unanswered(error: TransportError, { server, context }: AskedCluster): string {
  const code = codeOf(error.cause);
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${server}; start the cluster, or choose a context other than ${context} with --context`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name in ${server} cannot be resolved; check the server of context ${context} in the kubeconfig`;
  if (untrusted.test(code))
    return `${server} presents a certificate that context ${context} does not trust (${code}); check its certificate-authority in the kubeconfig`;
  return `${server} did not answer (${error.message.replace(/^[A-Z]+ \/\S*: /, '')}); try again, or check the server of context ${context}`;
}

function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
