import type { DnsHost } from '../help/dns-host-advice.ts';
import type { DomainView } from '../use-cases/describe-domain.ts';
import type { DomainDetails } from '../use-cases/read-domains.ts';
import type { DomainRole } from '../use-cases/domain-fields.ts';
import type { KeyView } from '../use-cases/api-keys.ts';
import type { AccountView, UsageView } from '../use-cases/account-and-usage.ts';
import type { ProjectView } from '../use-cases/projects.ts';

/** View models: plain data. Pages are pure functions of it. */

/** A message at the top of a page: what was done, or why it failed. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly title: string;
  readonly detail: string;
  /** problem code; null if nothing failed */
  readonly code: string | null;
}

/** The frame around every page. `account` and `csrf` are null before sign-in. */
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

/** The values of the form that adds a domain; kept when it is refused. */
export interface AddForm {
  readonly hostname: string;
  readonly role: DomainRole;
  readonly to: string;
  readonly status: string;
}

/** The plan's limits on custom domains, for one project. */
interface Allowance {
  readonly enabled: boolean;
  readonly used: number;
  readonly maxPerProject: number;
}

export interface DomainsModel {
  readonly project: ProjectView;
  /** a page of the project's domains */
  readonly domains: readonly DomainView[];
  /** the last hostname of the page before; null on the first page */
  readonly after: string | null;
  /** cursor of the next page; null on the last */
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
  /** the provider that serves the zone, if recognised */
  readonly dnsHost: DnsHost | null;
}

/** Preview of a hostname that is being typed: the result of a dry run, or why it cannot be added. */
export type Preview =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly detail: string; readonly code: string }
  | { readonly kind: 'possible'; readonly domain: DomainView };

export interface PlanModel extends UsageView {
  readonly account: AccountView;
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
