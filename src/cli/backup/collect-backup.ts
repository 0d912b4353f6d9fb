import type { Account } from '../../generated/account.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import type { ApiKey } from '../../generated/api-key.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Plan } from '../../generated/plan.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Cluster, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import {
  AccountKind,
  AcmeIssuerKind,
  ApiKeyKind,
  HostnameClaimKind,
  NamespaceKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
  SecretKind,
} from '../../resources/kinds.ts';
import { CommandFailure } from '../usage-errors.ts';

export interface RoleBinding extends KubernetesObject {
  readonly subjects?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];
}

const RoleBindingKind: Kind<RoleBinding> = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

/** Name of the Secret with the key that all targets and ownership values are derived from. */
const hmacSecret = 'projectdomain-hmac';

/** Everything in the cluster that a backup is made from. */
export interface BackupSource {
  readonly systemNamespace: string;
  /** null when the backup is made without secrets */
  readonly secret: KubernetesObject | null;
  /** with the keys of ACME accounts, as far as they are there; none when the backup is made without secrets */
  readonly accountSecrets: readonly KubernetesObject[];
  readonly acmeIssuers: readonly AcmeIssuer[];
  readonly namespaces: readonly KubernetesObject[];
  readonly roleBindings: readonly RoleBinding[];
  readonly claims: readonly HostnameClaim[];
  readonly plans: readonly Plan[];
  readonly accounts: readonly Account[];
  readonly projects: readonly Project[];
  readonly domains: readonly ProjectDomain[];
  readonly apiKeys: readonly ApiKey[];
}

export interface BackupSelection {
  readonly systemNamespace: string;
  readonly secrets: boolean;
}

/**
 * Reads all of it. Rejects if any kind cannot be read: half a backup is no backup. The Secret is read by name, since
 * permission to list Secrets is permission to read them all.
 */
export async function collect(cluster: Pick<Cluster, 'list' | 'get'>, what: BackupSelection): Promise<BackupSource> {
  const { systemNamespace } = what;
  const acmeIssuers = await cluster.list(AcmeIssuerKind);
  const [secret, accountSecrets, namespaces, roleBindings, claims, plans, accounts, projects, domains, apiKeys] =
    await Promise.all([
      what.secrets ? hmac(cluster, systemNamespace) : null,
      what.secrets ? secretsOf(cluster, systemNamespace, accountSecretsOf(acmeIssuers)) : [],
      cluster.list(NamespaceKind),
      cluster.list(RoleBindingKind),
      cluster.list(HostnameClaimKind),
      cluster.list(PlanKind),
      cluster.list(AccountKind),
      cluster.list(ProjectKind),
      cluster.list(ProjectDomainKind),
      cluster.list(ApiKeyKind),
    ]);
  return Object.freeze({
    systemNamespace,
    secret,
    accountSecrets,
    acmeIssuers,
    namespaces,
    roleBindings,
    claims,
    plans,
    accounts,
    projects,
    domains,
    apiKeys,
  });
}

/** Names of the Secrets with the keys of accounts, and with what authorities gave for them. */
export const accountSecretsOf = (issuers: readonly AcmeIssuer[]): readonly string[] => {
  const names = issuers.flatMap(({ spec }) =>
    spec.accounts.flatMap(({ keySecret, externalAccountBinding: binding }) => [
      keySecret,
      ...(binding ? [binding.keySecret] : []),
    ]),
  );
  return [...new Set(names)].toSorted();
};

/** Those that are there: a key that was lost must not end every backup after it. */
async function secretsOf(
  cluster: Pick<Cluster, 'get'>,
  namespace: string,
  names: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const found = await Promise.all(names.map((name) => cluster.get(SecretKind, { namespace, name })));
  return found.filter((secret) => secret !== undefined);
}

async function hmac(cluster: Pick<Cluster, 'get'>, namespace: string): Promise<KubernetesObject> {
  const secret = await cluster.get(SecretKind, { namespace, name: hmacSecret });
  if (secret) return secret;
  throw new CommandFailure(
    `there is no Secret ${namespace}/${hmacSecret}, and without it every customer's DNS record is worthless; pass --system-namespace, or --without-secrets if it is kept elsewhere`,
  );
}
