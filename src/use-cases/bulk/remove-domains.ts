import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { keyOf } from '../../kubernetes/object-keys.ts';
import { isDeclaredBy } from '../../rules/declared-domains.ts';
import { configurationWithout } from '../domain-declaration.ts';
import type { DomainPath } from '../find-in-account.ts';
import { domainOf, noSuchDomain, projectOf } from '../find-in-account.ts';
import { beginRemoval } from '../remove-domain.ts';
import { useCase } from '../use-case.ts';
import type { BulkDone } from './bulk-domain-view.ts';
import { bulkDomainView } from './bulk-domain-view.ts';
import { createProjectRosters } from './project-rosters.ts';
import type { ManyItems } from './run-items.ts';
import { runItems } from './run-items.ts';
import type { DomainOutcomes } from './verify-domains.ts';

/** Removes many domains, and does not wait until their routes are gone. One that an earlier item removed is not found. */
export const removeDomains = useCase<ManyItems<DomainPath>, DomainOutcomes>('domains:write', (context, items) => {
  const rosters = createProjectRosters(context);
  const removed = new Set<string>();
  const mustBeRemovable = createConfigurations();
  return runItems<DomainPath, BulkDone>(context, items, async (item, earlier) => {
    const domain = domainOf(context, item);
    const key = keyOf(domain);
    if (removed.has(key)) await earlier.end();
    if (removed.has(key)) throw noSuchDomain(item.project, domain.spec.hostname);
    if (items.dryRun) mustBeRemovable(projectOf(context, item), domain);
    removed.add(key);
    const outcome: BulkDone = { kind: 'removing', domain: bulkDomainView(context, domain, rosters) };
    const write = async () => {
      try {
        await beginRemoval(context, { project: projectOf(context, domain.spec), domain });
        return outcome;
      } catch (error) {
        removed.delete(key);
        throw error;
      }
    };
    return { outcome, write };
  });
});

/** Throws where a project's configuration could not do without a domain of it, after those that were removed before. */
function createConfigurations() {
  const known = new Map<string, ReturnType<typeof configurationWithout>>();
  return (project: Project, domain: ProjectDomain) => {
    if (!isDeclaredBy(domain, project)) return;
    const { name } = project.metadata;
    known.set(name, configurationWithout(known.get(name) ?? project.spec.domains ?? {}, domain.spec));
  };
}
