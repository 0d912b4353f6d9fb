import type { ProjectView } from '../../use-cases/projects.ts';

/** What is said of the address at which the platform itself serves a project. */
export type PlatformAddress =
  | { readonly kind: 'online'; readonly hostname: string }
  | { readonly kind: 'pending' }
  /** it is not served there, and somebody has to act; `why` is a sentence */
  | { readonly kind: 'refused'; readonly why: string };

/** An address is shown as online only while the project holds it and nothing withdrew it. Pure. */
export function platformAddress({
  platformHostname,
  state,
  message,
}: Pick<ProjectView, 'platformHostname' | 'state' | 'message'>): PlatformAddress {
  if (state === 'refused' || state === 'suspended') return { kind: 'refused', why: message };
  return platformHostname === null ? { kind: 'pending' } : { kind: 'online', hostname: platformHostname };
}
