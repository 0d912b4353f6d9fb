import { isAlreadyThere } from './kubernetes-errors.ts';
import type { Cluster, Intent, Kind } from './kubernetes-port.ts';

/**
 * Whether an object of this name exists, of a kind that may be created and not read: a creation that is only tried says so. `object`
 * has to be one that could be created.
 */
export async function isNameTaken(cluster: Pick<Cluster, 'create'>, kind: Kind, object: Intent): Promise<boolean> {
  try {
    await cluster.create(kind, object, { isDryRun: true });
    return false;
  } catch (error) {
    if (isAlreadyThere(error)) return true;
    throw error;
  }
}
