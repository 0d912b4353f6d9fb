import type { Project } from '../generated/project.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { claimKey } from '../rules/claim-name.ts';
import { projectHostname } from '../rules/project-address.ts';
import type { ControllerSettings } from './controller-settings.ts';
import type { Caches } from './needs.ts';

interface Sources {
  readonly caches: Pick<Caches, 'claims'>;
  readonly settings: Pick<ControllerSettings, 'platformDomain' | 'records'>;
}

/** Where the platform itself serves the project, or will, by the claims as they are cached. `accountId` is undefined while the Account is not found. */
export const addressOfProject = (
  { caches: { claims }, settings }: Sources,
  project: Project,
  accountId: string | undefined,
): string =>
  projectHostname(project, {
    ...settings,
    accountId,
    claimOf: (hostname) => claims.get(claimKey(hostname)),
    claimsOf: ({ metadata }) => claims.byIndex('holder', indexKey(metadata.namespace ?? '', metadata.name)),
  });
