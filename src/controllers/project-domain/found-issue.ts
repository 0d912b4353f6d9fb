import type { DnsIssue } from '../../dns/verdict/dns-verdict.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import type { IssueCode } from '../../rules/issue-params.ts';
import { issueParams, issueSentence } from '../../rules/issue-params.ts';

/** An issue of DNS or of the route, as it is found; a status keeps it clipped and with the time since when. */
export type FoundIssue = Omit<DnsIssue, 'code'> & { readonly code: IssueCode };

interface Told extends Pick<FoundIssue, 'code' | 'severity'> {
  readonly act: IssueAct;
  /** what the sentences name; those that the act brings are added */
  readonly place: Parameters<typeof issueParams>[0];
}

/** An issue that is about no record: its code says what is wrong, its act who does what. */
export function issueOfAct({ code, severity, act, place }: Told): FoundIssue {
  const { actor, params: ofAct } = issueActs[act];
  const params = issueParams(place, { code, ofAct });
  return {
    code,
    severity,
    act,
    actor,
    params,
    delete: [],
    create: [],
    servers: [],
    message: issueSentence(code, params),
    record: '',
    fix: actSentence(act, { params, delete: [], create: [] }),
  };
}
