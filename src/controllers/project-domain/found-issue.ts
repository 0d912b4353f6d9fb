import type { DnsIssue } from '../../dns/verdict/dns-verdict.ts';
import type { IssueCode } from '../../rules/issue-params.ts';

/** An issue of DNS or of the route, as it is found; a status keeps it clipped and with the time since when. */
export type FoundIssue = Omit<DnsIssue, 'code'> & { readonly code: IssueCode };
