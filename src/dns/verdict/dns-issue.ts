import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs, recordText } from '../../rules/issue-acts.ts';
import type { IssueParams } from '../../rules/issue-params.ts';
import { issueParams, issueSentence } from '../../rules/issue-params.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsIssue } from './dns-verdict.ts';

/** What an issue has besides its code and place. */
interface IssueParts extends Partial<Pick<DnsIssue, 'severity' | 'delete' | 'create' | 'servers'>> {
  /** default: ChangeRecords, by the owner */
  readonly act?: IssueAct;
  /** what was found, where it is not what to delete */
  readonly found?: DnsIssue['delete'];
}

/** how many servers an issue names */
const mostServers = 6;
/** When many records are wrong, as many as a person would delete one by one. */
export const mostRecords = 16;

/** Builds an issue: an error that the owner fixes by changing records, unless the parts say otherwise. */
export function issue(code: DnsCode, place: IssueParams, parts: IssueParts = {}): DnsIssue {
  const { act = 'ChangeRecords', severity = 'Error' } = parts;
  const [deletions, create] = [parts.delete ?? [], parts.create ?? []].map((list) => list.slice(0, mostRecords));
  const servers = (parts.servers ?? []).slice(0, mostServers);
  const { actor, params: ofAct } = issueActs[act];
  const params = issueParams(place, { code, ofAct });
  const told = servers.map(({ server, address, answer }) => `${server}${address && ` (${address})`}: ${answer}`);
  const subject = { params, delete: deletions ?? [], create: create ?? [] };
  return Object.freeze({
    code,
    severity,
    act,
    actor,
    ...subject,
    servers,
    message: `${issueSentence(code, params)}${told.length === 0 ? '' : ` (${told.join('; ')})`}`,
    record: (parts.found ?? subject.delete).slice(0, mostRecords).map(recordText).join('; '),
    fix: actSentence(act, subject),
  });
}
