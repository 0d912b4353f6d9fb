import { exceededQuota } from '../../resources/object-limits.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ProjectNeeds } from './project-needs.ts';
import { observeGateways } from '../gateway-guard.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { decideProject, isPlatformProbeDue, whyWithdrawn } from './decide-project.ts';
import { isLookDue, lookTimes, platformRequest } from './platform-look.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';
import { gatherProject } from './project-snapshot.ts';
import type { Controller } from '../controller.ts';
import { byNamespace } from '../controller.ts';

export const projectController: Controller<ProjectNeeds> = {
  workers: ({ project }) => project,
  shareOf: byNamespace,
  reconcile: reconcileProject,
};

/** Reconciles one Project. A full account is the user's to resolve: it becomes a condition, not a fault to retry. */
export async function reconcileProject(
  dependencies: ProjectNeeds,
  key: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const project = dependencies.caches.projects.get(parseKey(key));
  if (!project || project.metadata.deletionTimestamp) return {};
  const snapshot = await observe(
    dependencies,
    gatherProject(dependencies.caches, dependencies.settings, project, dependencies.now()),
    signal,
  );
  try {
    return await applyProject(dependencies, snapshot);
  } catch (error) {
    if (!isAccountFull(error)) throw error;
    return applyProject(dependencies, Object.freeze({ ...snapshot, isAccountFull: true }));
  }
}

const isAccountFull = (error: unknown): boolean => exceededQuota(error) === 'domains';

const applyProject = (dependencies: ProjectNeeds, snapshot: ProjectSnapshot): Promise<ReconcileResult> =>
  applyActions(dependencies, decideProject(snapshot), {
    about: snapshot.project,
    again: (refused) => decideProject({ ...snapshot, refused }),
    isDecided: isAccountFull,
  });

async function observe(
  dependencies: ProjectNeeds,
  snapshot: ProjectSnapshot,
  signal: AbortSignal,
): Promise<ProjectSnapshot> {
  const { foreignLooks, now } = dependencies;
  const { uid = '' } = snapshot.project.metadata;
  const times = lookTimes(dependencies, uid);
  const before = foreignLooks.since(uid);
  const isDue = isPlatformProbeDue(snapshot) || isLookDue({ ...snapshot, foreignSince: before }, times);
  const isProbed = isDue && whyWithdrawn(snapshot) === null;
  const request = isProbed ? platformRequest(dependencies, snapshot) : null;
  const [ofGateway, probe] = await Promise.all([
    observeGateways(dependencies),
    request ? dependencies.probe.ask(request, signal) : null,
  ]);
  const foreignSince = probe === null ? before : foreignLooks.looked(uid, probe, now());
  return Object.freeze({ ...snapshot, ...ofGateway, probe, foreignSince, nextLookAt: times.next });
}
