import type { DomainView, DomainRole } from '../use-cases/domain-view.ts';
import type { LookupView } from '../use-cases/look-up.ts';
import type { ProblemView } from './notice.ts';

/** The values of the form that adds a domain; kept when it is refused. */
export interface AddForm {
  readonly hostname: string;
  readonly role: DomainRole;
  /** where a redirect leads */
  readonly to: string;
  readonly status: string;
  /** whether the other one of `www` and the bare domain is added too, as a redirect */
  readonly pair: boolean;
  /** whether its certificate is obtained before it is switched here */
  readonly prepare: boolean;
}

/** What the form offers in a project. */
export interface AddOffer {
  /** a project without a primary can be shown at the new domain */
  readonly primary: boolean;
  /** hostnames that a redirect can lead to, the default first */
  readonly destinations: readonly string[];
  /** there is room for a second domain */
  readonly pair: boolean;
  /** domains can be prepared before they are switched */
  readonly prepare: boolean;
}

/** What Add would answer for a hostname that is being typed. */
export type Preview =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly problem: ProblemView }
  /** the project has it */
  | { readonly kind: 'there'; readonly project: string; readonly hostname: string }
  | {
      readonly kind: 'possible';
      readonly domain: DomainView;
      /** the hostname that can be added with it */
      readonly counterpart: string | null;
      /** whether DNS is worth looking at while it is typed: what stands there is a whole hostname */
      readonly isWhole: boolean;
    };

/** What DNS says before Add; or why it was not looked at, which keeps nobody from adding the domain. */
export type Look =
  | { readonly kind: 'seen'; readonly lookup: LookupView }
  /** DNS has not answered in time */
  | { readonly kind: 'late' }
  /** other lookups are under way */
  | { readonly kind: 'busy' }
  /** the account's quota does not allow it before; seconds, and RFC 3339 */
  | { readonly kind: 'quota'; readonly retryAfter: number; readonly retryAt: string | null }
  /** a preview that says why it cannot be added: nothing to look at */
  | { readonly kind: 'none' };
