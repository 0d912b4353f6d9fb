import type { Cluster, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { IssuerReason } from '../../rules/reasons.ts';
import { no, unknown, yes } from '../../rules/conditions.ts';
import type { CertManagerDeployment, ControllerSettings } from '../controller-settings.ts';
import { signerOf } from '../../issuing/issuer-ref.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import { sharedRead } from '../shared-read.ts';

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

/** The observed setup of cert-manager. */
export interface CertManagerSetup {
  /** the controller's command-line arguments; null when its Deployment was not found */
  readonly args: readonly string[] | null;
  /** its ServiceAccount has the right to approve CertificateRequests for our issuer */
  readonly mayApprove: boolean;
}

/** Reads cert-manager's Deployment and what its ServiceAccount may do. */
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
  // To cert-manager an asterisk is every signer of the kind; to RBAC it is an ordinary name, so it is checked as one.
  const [found, ...rights] = await Promise.all([
    cluster.get(DeploymentKind, { namespace, name: deployment }),
    mayApprove(signerOf(issuer)),
    mayApprove(signerOf({ ...issuer, name: '*' })),
  ]);
  const args = found?.spec.template.spec.containers.flatMap((container) => container.args ?? []) ?? null;
  return { args, mayApprove: rights.includes(true) };
}

/** Whether only the operator approves requests for our issuer, and no Secret is deleted with its Certificate. Pure. */
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
 * The finding about cert-manager's setup, null where the installation does not check it. It is the same for every
 * Account, so the reconciles within ten seconds share one read.
 */
export function createIssuerGuard(
  cluster: Cluster,
  { certManager, issuer }: Pick<ControllerSettings, 'certManager' | 'issuer'>,
  elapsed: () => number,
): () => Promise<Finding<IssuerReason> | null> {
  if (certManager === null) return () => Promise.resolve(null);
  const read = async () => issuerGuardFinding(await readCertManagerSetup(cluster, certManager, issuer), issuer);
  return sharedRead(read, { keptMs, elapsed });
}
