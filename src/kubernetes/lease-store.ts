import { isConflict } from './kubernetes-errors.ts';
import type { Cluster, Kind, KubernetesObject, LeaseRecord, LeaseStore, ObjectKey } from './kubernetes-port.ts';

interface Lease extends KubernetesObject {
  readonly spec?: Partial<Omit<LeaseRecord, 'version'>>;
}

const leaseKind: Kind<Lease> = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** What the fields mean that a Lease does not have. */
const unheld = { holderIdentity: '', leaseDurationSeconds: 0, acquireTime: '', renewTime: '', leaseTransitions: 0 };

/** Reads and writes the Lease of a leader election. */
export function createLeaseStore(cluster: Cluster, key: ObjectKey): LeaseStore {
  return {
    async read() {
      const lease = await cluster.get(leaseKind, key);
      return lease ? { ...unheld, ...lease.spec, version: lease.metadata.resourceVersion ?? null } : null;
    },
    async write({ version, ...spec }) {
      const { apiVersion, kind } = leaseKind;
      const metadata = { ...key, ...(version === null ? {} : { resourceVersion: version }) };
      try {
        const lease = { apiVersion, kind, metadata, spec };
        await (version === null ? cluster.create(leaseKind, lease) : cluster.replace(leaseKind, lease));
        return true;
      } catch (error) {
        if (isConflict(error)) return false;
        throw error;
      }
    },
  };
}
