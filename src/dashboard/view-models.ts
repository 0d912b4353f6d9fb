import type { Content } from './html.ts';
import type { DnsHost } from '../rules/dns-hosts/known-dns-hosts.ts';
import type { DomainChoices } from '../use-cases/make-primary.ts';
import type { DomainSituation, DomainRole, DomainView } from '../use-cases/domain-view.ts';
import type { DomainDetails } from '../use-cases/read-domains.ts';
import type { KeyView } from '../use-cases/api-keys.ts';
import type { AccountView, UsageView, PlanOffer } from '../use-cases/account-and-usage.ts';
import type { AddTerms } from '../use-cases/add-terms.ts';
import type { BulkAct, BulkPlanned, BulkResult } from '../use-cases/bulk-domains.ts';
import type { DomainFilter, FoundDomains } from '../use-cases/find-domains.ts';
import type { LookupView } from '../use-cases/look-up.ts';
import type { ProjectView } from '../use-cases/projects.ts';
import type { Notice, ProblemView } from './notice.ts';

/** View models: plain data. Pages are pure functions of it. */

/** The frame around every page. `account` is null before sign-in. */
export interface LayoutModel {
  readonly title: string;
  /** what the first heading shows instead of the title */
  readonly heading?: Content;
  readonly section: 'projects' | 'plan' | 'keys' | 'help' | null;
  readonly account: AccountView | null;
  readonly notice: Notice | null;
}

export interface ProjectCard {
  readonly project: ProjectView;
  readonly domains: number;
  /** how many of them are not Live */
  readonly waiting: number;
}

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

/** The part of a project's page where a domain is added. */
export interface AddingModel {
  readonly project: ProjectView;
  readonly terms: AddTerms;
  readonly offer: AddOffer;
  readonly form: AddForm;
  readonly preview: Preview;
  readonly look: Look;
}

/** A page of a project's domains. */
export interface ListModel extends FoundDomains {
  readonly project: ProjectView;
  readonly filter: DomainFilter;
  /** whether the key that opened the session may change domains */
  readonly mayWrite: boolean;
}

/** What else the page has to say about the form that was sent. */
export type ListNotice =
  /** nothing was selected */
  | { readonly kind: 'none-selected' }
  /** of two hostnames only the first was added */
  | { readonly kind: 'first-only'; readonly first: string; readonly other: string; readonly problem: ProblemView };

export interface DomainsModel {
  readonly notice: ListNotice | null;
  readonly adding: AddingModel;
  readonly list: ListModel;
}

/** What would happen to the selected domains. */
export interface BulkPlanModel {
  readonly project: ProjectView;
  readonly act: BulkAct;
  readonly planned: readonly BulkPlanned[];
}

/** What happened to them. */
export interface BulkResultModel {
  readonly project: ProjectView;
  readonly act: BulkAct;
  readonly results: readonly BulkResult[];
}

export interface DomainModel
  extends DomainSituation, Pick<DomainDetails, 'timeline' | 'checkEveryMinutes' | 'isVerifyAhead' | 'version'> {
  readonly project: ProjectView;
  readonly choices: DomainChoices;
  /** newest first */
  readonly timeline: DomainDetails['timeline'];
  /** the provider that serves the zone, if recognised */
  readonly dnsHost: DnsHost | null;
}

/** One of several domains that are set up together. */
export interface SetupDomain {
  readonly situation: DomainSituation;
  /** the provider that serves the zone, if recognised */
  readonly dnsHost: DnsHost | null;
  /** somebody asked for a check that has not been made */
  readonly isVerifyAhead: boolean;
}

/** The page of several domains that are set up together. */
export interface SetupModel {
  readonly project: ProjectView;
  readonly domains: readonly SetupDomain[];
  /** hostnames that were asked for, and that the project does not have */
  readonly gone: readonly string[];
  /** whether the key that opened the session may change domains */
  readonly mayWrite: boolean;
}

export interface PlanModel extends Pick<UsageView, 'minute' | 'day'> {
  readonly account: AccountView;
  /** of the key that signed in; `until`: RFC 3339 */
  readonly ban: Pick<NonNullable<UsageView['ban']>, 'until'> | null;
  readonly plans: readonly PlanOffer[];
}

export interface KeysModel {
  readonly keys: readonly KeyView[];
  /** shown only once, right after creation */
  readonly created: { readonly id: string; readonly key: string } | null;
  /** milliseconds since the Unix epoch; keys that expired before it are marked */
  readonly now: number;
  /** id of the key that opened this session; deleting it signs out */
  readonly own: string;
  /** the session's key may create and delete keys */
  readonly mayWrite: boolean;
}
