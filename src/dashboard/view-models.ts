import type { Content } from './html.ts';
import type { DnsHost } from '../rules/dns-hosts/known-dns-hosts.ts';
import type { DomainChoices } from '../use-cases/make-primary.ts';
import type { DomainSituation } from '../use-cases/domain-view.ts';
import type { DomainDetails } from '../use-cases/read-domains.ts';
import type { KeyView } from '../use-cases/api-keys.ts';
import type { AccountView, UsageView, PlanOffer } from '../use-cases/account-and-usage.ts';
import type { ProjectView } from '../use-cases/projects.ts';
import type { Notice } from './notice.ts';

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

export interface DomainModel
  extends DomainSituation, Pick<DomainDetails, 'timeline' | 'checkEveryMinutes' | 'isVerifyAhead' | 'version'> {
  readonly project: ProjectView;
  readonly choices: DomainChoices;
  /** newest first */
  readonly timeline: DomainDetails['timeline'];
  /** the provider that serves the zone, if recognised */
  readonly dnsHost: DnsHost | null;
}

export interface PlanModel extends Pick<UsageView, 'minute' | 'day'> {
  readonly account: AccountView;
  /** of the key that signed in; `until`: Unix seconds */
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
