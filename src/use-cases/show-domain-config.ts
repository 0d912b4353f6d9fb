import type { Project } from '../generated/project.ts';
import type { RedirectStatus } from './domain-fields.ts';
import type { ProjectPath } from './find-in-account.ts';
import { projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';

/** A project's configuration of domains as REST shows it. */
export interface DomainConfigView {
  readonly primary: string | null;
  readonly redirects: readonly ConfiguredRedirect[];
}

interface ConfiguredRedirect {
  readonly from: string;
  /** the primary where none is given; null where there is none either */
  readonly to: string | null;
  readonly status: RedirectStatus;
}

export function domainConfigView({ spec }: Project): DomainConfigView {
  const { primary = null, redirects = [] } = spec.domains ?? {};
  return { primary, redirects: redirects.map(({ from, to = primary, status = 301 }) => ({ from, to, status })) };
}

/** The project's configuration of domains. */
export const showDomainConfig = useCase<ProjectPath, DomainConfigView>('domains:read', (context, path) =>
  domainConfigView(projectOf(context, path)),
);
