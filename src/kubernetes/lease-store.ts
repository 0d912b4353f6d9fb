import { isConflict } from './kubernetes-errors.ts';
import type { Cluster, Kind, KubernetesObject, ObjectKey } from './kubernetes-port.ts';

interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** The same shape as the controller runtime's LeaseRecord: neither room imports the other. */
interface LeaseRecord {
  readonly holder: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
  readonly version: string | null;
}

const leaseKind: Kind<Lease> = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** Reads and writes the Lease of a leader election. */
export function createLeaseStore(cluster: Cluster, key: ObjectKey) {
  return {
    async read(): Promise<LeaseRecord | null> {
      const lease = await cluster.get(leaseKind, key);
      if (!lease) return null;
      const {
        holderIdentity = '',
        leaseDurationSeconds = 0,
        acquireTime = '',
        renewTime = '',
        leaseTransitions = 0,
      } = lease.spec ?? {};
      const { resourceVersion: version = null } = lease.metadata;
      return {
        holder: holderIdentity,
        leaseDurationSeconds,
        acquireTime,
        renewTime,
        transitions: leaseTransitions,
        version,
      };
    },
    async write({
      version,
      holder,
      leaseDurationSeconds,
      acquireTime,
      renewTime,
      transitions,
    }: LeaseRecord): Promise<boolean> {
      const { apiVersion, kind } = leaseKind;
      const spec = {
        holderIdentity: holder,
        leaseDurationSeconds,
        acquireTime,
        renewTime,
        leaseTransitions: transitions,
      };
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
