import type { WriteAction } from '../../controller-runtime/actions.ts';
import { isPlatformHolder } from '../../rules/platform-hostname.ts';
import { removeChildren } from '../remove-children.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

/** Deletes route and certificate of a platform hostname. */
export const withdrawPlatform = (snapshot: ProjectSnapshot): readonly WriteAction[] => {
  const { project, settings, claim } = snapshot;
  return removeChildren(settings.routes, snapshot, { owner: project, isHolder: isPlatformHolder(claim, project) });
};
