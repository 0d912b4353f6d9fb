import type { Cluster, Kind, KubeObject } from '../../kube/port.ts';
import type { Finding } from '../../model/condition.ts';
import { no, unknown, yes } from '../../model/condition.ts';
import { account as reasons } from '../../model/reasons.ts';
import type { CertManager, Settings } from '../settings.ts';

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] } };
  };
}

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed: boolean };
}

const DeploymentKind: Kind<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

const AccessReviewKind: Kind<AccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/** What cert-manager's set-up was seen to be. */
export interface SeenSetup {
  /** the controller's command line; null where its Deployment was not found */
  readonly args: readonly string[] | null;
  /** its ServiceAccount has the right to approve requests of our issuer */
  readonly mayApprove: boolean;
}

/** Reads cert-manager's Deployment and asks what its ServiceAccount may do. */
export async function lookAtCertManager(
  cluster: Cluster,
  { namespace, deployment, serviceAccount }: CertManager,
  issuer: Settings['issuer'],
): Promise<SeenSetup> {
  const { apiVersion, kind } = AccessReviewKind;
  const mayApprove = async (signer: string): Promise<boolean> => {
    const review = await cluster.create(AccessReviewKind, {
      apiVersion,
      kind,
      metadata: { name: '' },
      spec: {
        user: `system:serviceaccount:${namespace}:${serviceAccount}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        resourceAttributes: { group: 'cert-manager.io', resource: 'signers', verb: 'approve', name: signer },
      },
    });
    return review.status?.allowed ?? false;
  };
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
export const signerOf = ({ name }: Settings['issuer']): string => `clusterissuers.cert-manager.io/${name}`;

/** Whether nothing is ordered of our issuer without our word, and no Secret goes before we say so. Pure. */
export function judgeSetup({ args, mayApprove }: SeenSetup, issuer: Settings['issuer']): Finding {
  if (args === null) {
    return unknown(
      reasons.CertManagerNotFound,
      'cert-manager was not found where certManager of the configuration says',
    );
  }
  const approverOff = args.some(
    (arg) => arg.startsWith('--controllers=') && arg.includes('-certificaterequests-approver'),
  );
  if (mayApprove && !approverOff) {
    return no(
      reasons.ApprovedElsewhere,
      `cert-manager approves requests of ${signerOf(issuer)} by itself, so DNS, CAA and limits are not asked before an order; install it with disableAutoApproval=true, or leave this signer out of approveSignerNames`,
    );
  }
  if (args.some((arg) => /^--enable-certificate-owner-ref(=true)?$/.test(arg))) {
    return no(
      reasons.SecretsOwned,
      'cert-manager ties each Secret to its Certificate, so a hostname that comes back within its tombstone needs a new order; install it without --enable-certificate-owner-ref',
    );
  }
  return yes(reasons.IssuerGuarded, `only the operator approves requests of ${signerOf(issuer)}`);
}
