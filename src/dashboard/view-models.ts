import type { z } from 'zod';
import type { DnsHost } from '../help/dns-hosts.ts';
import type { Limits } from '../rules/plan-limits.ts';
import type { account, domain, project } from '../server/schemas.ts';

/** What pages are made of: plain data. Pages are pure functions of it. */

export type ProjectView = z.output<typeof project>;
export type DomainView = z.output<typeof domain>;
export type AccountView = Omit<z.output<typeof account>, 'limits'> & { readonly limits: Limits };

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
  readonly role: 'primary' | 'redirect';
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

export interface TimelineEntry {
  readonly at: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string;
}

export interface DomainModel {
  readonly project: ProjectView;
  readonly domain: DomainView;
  /** newest first */
  readonly timeline: readonly TimelineEntry[];
  /** who serves the zone, when recognised */
  readonly dnsHost: DnsHost | null;
  /** when DNS was last looked at; RFC 3339 */
  readonly checkedAt: string | null;
}

/** What adding would ask for: the dry run of a hostname that is being typed, or why it cannot be. */
export type Preview =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly detail: string; readonly code: string }
  | { readonly kind: 'possible'; readonly domain: DomainView };

export interface WindowView {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** unix seconds */
  readonly resetAt: number;
}

export interface PlanModel {
  readonly account: AccountView;
  readonly minute: WindowView;
  readonly day: WindowView;
  readonly ban: { readonly until: number; readonly reason: string } | null;
}

export interface KeyView {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly bannedUntil: string | null;
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
