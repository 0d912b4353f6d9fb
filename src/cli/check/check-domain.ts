import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Cluster, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { OperatorConfig } from '../../operator/config.ts';
import type { AccountOfIssuer, Issuer } from '../../issuing/issuer-ref.ts';
import { accountsOfIssuer, issuerKindOf } from '../../issuing/issuer-ref.ts';
import { ProjectKind } from '../../resources/kinds.ts';
import { findCondition } from '../../rules/conditions.ts';
import type { VerifiedReason } from '../../rules/reasons.ts';
import { findDomain } from '../find-domain.ts';
import { CommandFailure } from '../usage-errors.ts';
import { withCluster } from '../with-cluster.ts';
import type { CheckOptions } from './check-options.ts';
import type { CheckSetup } from './check-setup.ts';
import { configFrom, configIn, setupOf } from './check-setup.ts';

const systemNamespace = 'projectdomain-system';
const configMap = 'projectdomain-operator';

const ConfigMapKind: Kind<KubernetesObject & { readonly data?: Readonly<Record<string, string | undefined>> }> = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

/** Reasons of OwnershipVerified while another account holds the name. */
const contested: readonly (string | undefined)[] = ['HeldElsewhere', 'Transferring'] satisfies VerifiedReason[];

/**
 * The setup for a domain in the cluster. Needs the rights to list ProjectDomains and get Projects in its namespace, and,
 * without --config, to get the operator's ConfigMap; without one to get the issuer its account stays unknown.
 * Rejects with CommandFailure.
 */
export const setupOfDomain = (name: string, values: CheckOptions): Promise<CheckSetup> =>
  withCluster(values, async (session) => {
    const { cluster } = session;
    const domain = await findDomain(session, name);
    const config =
      values.config === undefined
        ? await operatorConfig(cluster, values['system-namespace'] ?? systemNamespace)
        : configFrom(values.config);
    const project = await projectOf(cluster, domain);
    const target = targetOf(project, domain);
    const { targetAddresses: toldAddresses } = project?.status ?? {};
    const { 'account-uri': uri } = values;
    const accounts = uri === undefined ? await issuerAccounts(cluster, config) : [];
    const proof = { ...proofIn(domain), target, accountUri: uri ?? accounts[0]?.uri ?? null };
    return setupOf(config, toldAddresses ? { ...proof, toldAddresses } : proof, accounts);
  });

/** What the status says about ownership, as the operator last saw it. */
function proofIn({ spec, status }: ProjectDomain) {
  const ownership = status?.records?.find(({ purpose }) => purpose === 'Ownership')?.value ?? null;
  const isContested = contested.includes(findCondition(status?.conditions, 'OwnershipVerified')?.reason);
  return { hostname: spec.hostname, ownership, relation: isContested ? 'Foreign' : 'Free' } as const;
}

const projectOf = (cluster: Cluster, { metadata, spec }: ProjectDomain): Promise<Project | undefined> =>
  cluster.get(ProjectKind, { namespace: metadata.namespace ?? '', name: spec.project });

function targetOf(project: Project | undefined, { spec, status }: ProjectDomain): string {
  const shown = status?.records?.find(({ purpose }) => purpose === 'Routing')?.value;
  const target = shown ?? project?.status?.target;
  if (target !== undefined) return target;
  throw new CommandFailure(
    `project ${spec.project} of ${spec.hostname} has no target yet: the operator has not processed it; make sure that it is running`,
  );
}

async function operatorConfig(cluster: Cluster, namespace: string): Promise<OperatorConfig> {
  const found = await cluster.get(ConfigMapKind, { namespace, name: configMap });
  const text = found?.data?.['config.json'];
  if (text !== undefined) return configIn(text, `ConfigMap ${namespace}/${configMap}`);
  throw new CommandFailure(
    `there is no ConfigMap ${configMap} with config.json in namespace ${namespace}; name the operator's with --system-namespace, or give a file with --config`,
  );
}

/** One that is not known where they may not be read: the notes then say so. */
const issuerAccounts = (cluster: Cluster, { issuer }: OperatorConfig): Promise<readonly AccountOfIssuer[]> =>
  cluster
    .get<Issuer>(issuerKindOf(issuer), { namespace: '', name: issuer.name })
    .then(accountsOfIssuer, () => accountsOfIssuer(undefined));
