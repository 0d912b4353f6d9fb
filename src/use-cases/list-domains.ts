import type { DomainView } from './describe-domain.ts';
import { domainViews } from './describe-domain.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { pageOf } from './pagination.ts';
import { useCase } from './use-case.ts';

interface ListDomains extends ProjectPath {
  readonly page: PageRequest;
}

/** The project's domains, by hostname. */
export const listDomains = useCase<ListDomains, ResultPage<DomainView>>('domains:read', async (context, input) => {
  const project = projectOf(context, input).metadata.name;
  const all = domainsIn(context, { project });
  const { items, nextCursor } = pageOf(all, ({ spec, metadata }) => `${spec.hostname} ${metadata.name}`, input.page);
  return { items: await domainViews(context, items), nextCursor };
});
