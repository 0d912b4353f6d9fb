import type { ProjectDomain } from '../../generated/project-domain.ts';

/** True while requests of the hostname lead to the redirector: all of a Redirect's, or those for a published token. */
export const usesRedirector = ({ spec, status }: ProjectDomain): boolean =>
  spec.role === 'Redirect' || status?.check?.token !== undefined;
