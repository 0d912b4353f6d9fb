import { visibleJson } from '../lib/printable.ts';
import { kebabCase } from '../rules/kebab-case.ts';
import type { BulkDomainView } from '../use-cases/bulk/bulk-domain-view.ts';
import type { DomainView, RecordView } from '../use-cases/domain-view.ts';
import type { IssueView } from '../use-cases/issue-view.ts';
import type { DomainPreview, LookupView } from '../use-cases/look-up.ts';
import type { ProjectView } from '../use-cases/projects.ts';
import type { TimelineEntryView } from '../use-cases/read-domains.ts';
import type { RememberedViews } from '../use-cases/remembered-views.ts';
import { unicodeOf } from '../use-cases/unicode-hostname.ts';

/**
 * What REST says of a domain, in its own language (docs/adr/0106): enumeration values in kebab-case where the resources have PascalCase, and lists where a
 * sentence has one text. Everything else is the view.
 */
export const domainBody = (view: DomainView) => ({
  ...names(view.hostname),
  ...view,
  state: kebabCase(view.state),
  reason: kebabCase(view.reason),
  records: view.records.map(recordBody),
  issues: view.issues.map(issueBody),
  waits: view.waits && { ...view.waits, reason: kebabCase(view.waits.reason) },
});

/** The same as the JSON of a response. */
export const domainJson = (view: DomainView): string => visibleJson(JSON.stringify(domainBody(view)));

/** A page of domains as the JSON of a response, with what else it says behind them. */
export function domainPageJson(views: RememberedViews, items: readonly DomainView[], rest: object): string {
  const texts = items.map((item) => views.jsonOf(item, domainJson));
  return `{"items":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** Of one domain among many. */
export const bulkDomainBody = ({ state, reason, records }: BulkDomainView) => ({
  state: kebabCase(state),
  reason: kebabCase(reason),
  records: records.map((record) => ({ ...record, purpose: kebabCase(record.purpose) })),
});

/** A timeline entry: one thing that happened to a domain. */
export const timelineEntryBody = (entry: TimelineEntryView) => ({
  ...entry,
  kind: kebabCase(entry.kind),
  state: kebabCase(entry.state),
  reason: kebabCase(entry.reason),
  code: entry.code && kebabCase(entry.code),
  severity: entry.severity && kebabCase(entry.severity),
  params: paramsBody(entry.params),
});

export const lookupBody = (view: LookupView) => ({
  ...names(view.hostname),
  ...view,
  records: view.records.map(recordBody),
  routing: view.routing && verdictBody(view.routing),
  ownership: view.ownership && verdictBody(view.ownership),
  caa: verdictBody(view.caa),
  issues: view.issues.map(issueBody),
});

/** A dry run that looked at DNS. */
export const previewBody = ({ domain, lookup }: DomainPreview) => ({
  ...domainBody(domain),
  lookup: lookup && lookupBody(lookup),
});

/** A project; its state is in that form already. */
export const projectBody = (view: ProjectView) => ({ ...view, reason: kebabCase(view.reason) });

/** The two forms of a hostname, which differ where it has letters beyond ASCII. */
const names = (hostname: string) => ({ hostname, unicodeHostname: unicodeOf(hostname) ?? hostname });

const recordBody = (record: RecordView) => ({
  ...record,
  purpose: kebabCase(record.purpose),
  status: kebabCase(record.status),
});

const verdictBody = ({ verdict, code }: LookupView['caa']) => ({ verdict, code: kebabCase(code) });

const issueBody = (issue: IssueView) => ({
  ...issue,
  code: kebabCase(issue.code),
  severity: kebabCase(issue.severity),
  act: issue.act && kebabCase(issue.act),
  actor: kebabCase(issue.actor),
  params: paramsBody(issue.params),
});

/** Parameters that are words of ours, and those that are lists, with what separates them in a sentence. */
const words: ReadonlySet<string> = new Set(['fault', 'order', 'reason']);
const separators: Readonly<Record<string, string>> = {
  ...{ addresses: ', ', behind: ', ', types: ', ', records: ', ' },
  ...{ signers: ' ', keys: ' ', codes: ' ' },
};

const paramsBody = (params: Readonly<Record<string, string>>): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, paramBody(name, value)]));

function paramBody(name: string, value: string): string | readonly string[] {
  if (words.has(name)) return kebabCase(value);
  const separator = separators[name];
  if (separator === undefined) return value;
  return value === '' ? [] : value.split(separator);
}
