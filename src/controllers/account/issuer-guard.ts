import type { Cluster, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { IssuerReason } from '../../rules/reasons.ts';
import { no, unknown, yes } from '../../rules/conditions.ts';
import type { CertManagerDeployment, ControllerSettings } from '../controller-settings.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';

interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] } };
  };
}

const DeploymentKind: Kind<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

/** What cert-manager's set-up was seen to be. */
export interface CertManagerSetup {
  /** the controller's command line; null where its Deployment was not found */
  readonly args: readonly string[] | null;
  /** its ServiceAccount has the right to approve requests of our issuer */
  readonly mayApprove: boolean;
}

/** Reads cert-manager's Deployment and asks what its ServiceAccount may do. */
export async function readCertManagerSetup(
  cluster: Cluster,
  { namespace, deployment, serviceAccount }: CertManagerDeployment,
  issuer: ControllerSettings['issuer'],
): Promise<CertManagerSetup> {
  const subject = {
    user: `system:serviceaccount:${namespace}:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
  const mayApprove = (name: string) =>
    isAllowed(cluster, { group: 'cert-manager.io', resource: 'signers', verb: 'approve', name }, subject);
  const [found, ...rights] = await Promise.all([
    cluster.get(DeploymentKind, { namespace, name: deployment }),
    mayApprove(signerOf(issuer)),
    mayApprove(everySigner),
  ]);
  const args = found?.spec.template.spec.containers.flatMap((container) => container.args ?? []) ?? null;
  return { args, mayApprove: rights.includes(true) };
}

/** To cert-manager a star is every signer of a kind; to RBAC it is a name like any other, so it is asked for as one. */
const everySigner = 'clusterissuers.cert-manager.io/*';

/** How cert-manager names a cluster issuer's signer (its documentation, "Approval API"). */
const signerOf = ({ name }: ControllerSettings['issuer']): string => `clusterissuers.cert-manager.io/${name}`;

/** Whether nothing is ordered of our issuer without our word, and no Secret goes before we say so. Pure. */
export function issuerGuardFinding(
  { args, mayApprove }: CertManagerSetup,
  issuer: ControllerSettings['issuer'],
): Finding<IssuerReason> {
  if (args === null) {
    return unknown('CertManagerNotFound', 'cert-manager was not found where certManager of the configuration says');
  }
  const approverOff = args.some(
    (arg) => arg.startsWith('--controllers=') && arg.includes('-certificaterequests-approver'),
  );
  if (mayApprove && !approverOff) {
    return no(
      'ApprovedElsewhere',
      `cert-manager approves requests of ${signerOf(issuer)} on its own, so DNS, CAA and limits are not asked before an order; install it with disableAutoApproval=true, or leave this signer out of approveSignerNames`,
    );
  }
  if (args.some((arg) => /^--enable-certificate-owner-ref(=true)?$/.test(arg))) {
    return no(
      'SecretsOwned',
      'cert-manager ties each Secret to its Certificate, so a hostname that comes back within its tombstone needs a new order; install it without --enable-certificate-owner-ref',
    );
  }
  return yes('IssuerGuarded', `only the operator approves requests of ${signerOf(issuer)}`);
}

const keptMs = 10_000;

/**
 * What is to be said of cert-manager, null where the installation does not look. It is the same for every Account, so
 * many reconciles within ten seconds ask once.
 */
export function createIssuerGuard(
  cluster: Cluster,
  { certManager, issuer }: Pick<ControllerSettings, 'certManager' | 'issuer'>,
  elapsed: () => number,
): () => Promise<Finding<IssuerReason> | null> {
  if (certManager === null) return () => Promise.resolve(null);
  let kept: { readonly at: number; readonly finding: Promise<Finding<IssuerReason>> } | null = null;
  return () => {
    if (kept !== null && elapsed() - kept.at < keptMs) return kept.finding;
    const finding = readCertManagerSetup(cluster, certManager, issuer).then((seen) => issuerGuardFinding(seen, issuer));
    kept = { at: elapsed(), finding };
    // A fault of the world is asked about again at once; who waits for this answer is told of it.
    finding.catch(() => (kept = null));
    return finding;
  };
}
