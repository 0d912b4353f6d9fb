import type { DnsHost } from '../help/dns-host-advice.ts';
import type { DomainView } from '../use-cases/describe-domain.ts';
import type { DomainDetails } from '../use-cases/read-domains.ts';
import type { DomainRole } from '../use-cases/domain-fields.ts';
import type { KeyView } from '../use-cases/api-keys.ts';
import type { AccountView, UsageView } from '../use-cases/account-and-usage.ts';
import type { ProjectView } from '../use-cases/projects.ts';

/** What pages are made of: plain data. Pages are pure functions of it. */

/** Something to tell at the top of a page: what was done, or the problem that kept it from being done. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly title: string;
  readonly detail: string;
  /** of the problem catalogue; null where nothing failed */
  readonly code: string | null;
}

/** What every page has around it. `account` and `csrf` are null before sign-in. */
export interface LayoutModel {
  readonly title: string;
  readonly section: 'projects' | 'plan' | 'keys' | 'help' | null;
  readonly account: AccountView | null;
  /** goes into every form as the field `csrf` */
  readonly csrf: string | null;
  readonly notice: Notice | null;
}

export interface ProjectCard {
  readonly project: ProjectView;
  readonly domains: number;
  /** how many of them are not Live */
  readonly waiting: number;
}

/** What was typed into the form that adds a domain; kept when it was refused. */
export interface AddForm {
  readonly hostname: string;
  readonly role: DomainRole;
  readonly to: string;
  readonly status: string;
}

/** What the plan says of custom domains, for a project. */
interface Allowance {
  readonly enabled: boolean;
  readonly used: number;
  readonly maxPerProject: number;
}

export interface DomainsModel {
  readonly project: ProjectView;
  /** a page of the project's domains */
  readonly domains: readonly DomainView[];
  /** cursor of the page that follows; null on the last */
  readonly next: string | null;
  /** hostnames of the project that a redirect may lead to */
  readonly primaries: readonly string[];
  readonly allowance: Allowance;
  readonly form: AddForm;
}

export interface DomainModel extends Pick<DomainDetails, 'domain' | 'timeline' | 'checkedAt'> {
  readonly project: ProjectView;
  /** newest first */
  readonly timeline: DomainDetails['timeline'];
  /** who serves the zone, when recognised */
  readonly dnsHost: DnsHost | null;
}

/** What adding would ask for: the dry run of a hostname that is being typed, or why it cannot be. */
export type Preview =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly detail: string; readonly code: string }
  | { readonly kind: 'possible'; readonly domain: DomainView };

export interface PlanModel extends UsageView {
  readonly account: AccountView;
}

export interface KeysModel {
  readonly keys: readonly KeyView[];
  /** shown this once, right after it was made */
  readonly created: { readonly id: string; readonly key: string } | null;
  /** milliseconds since 1970: what expired before it opens nothing */
  readonly now: number;
  /** the key of this session: deleting it signs out */
  readonly own: string;
  /** the session's key may make and delete keys */
  readonly mayWrite: boolean;
}
