import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainView } from './describe-domain.ts';
import { domainView, domainViews } from './describe-domain.ts';
import type { DomainPath, ProjectPath } from './find-in-account.ts';
import { domainOf, domainsIn, projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { pageOf } from './pagination.ts';

/** A domain with the results of its checks. */
export interface DomainDetails {
  readonly domain: DomainView;
  /** every change of state, oldest first */
  readonly timeline: NonNullable<NonNullable<ProjectDomain['status']>['timeline']>;
  /** the name servers of its zone, as of the last check */
  readonly nameServers: readonly string[];
  /** time of the last DNS check; RFC 3339 */
  readonly checkedAt: string | null;
}

/** One domain: its state, the reason, and the records to create. */
export const showDomain = useCase<DomainPath, DomainDetails>('domains:read', (context, path) => {
  const domain = domainOf(context, path);
  const { timeline = [], check } = domain.status ?? {};
  return {
    domain: domainView(context, domain),
    timeline,
    nameServers: check?.nameServers ?? [],
    checkedAt: check?.checkedAt ?? null,
  };
});

interface ListDomains extends ProjectPath {
  readonly page: PageRequest;
}

/** The project's domains, sorted by hostname. */
export const listDomains = useCase<ListDomains, ResultPage<DomainView>>('domains:read', async (context, input) => {
  const project = projectOf(context, input).metadata.name;
  const all = domainsIn(context, { project });
  const { items, nextCursor } = pageOf(all, ({ spec, metadata }) => `${spec.hostname} ${metadata.name}`, input.page);
  return { items: await domainViews(context, items), nextCursor };
});
