import type { ActSubject, IssueAct } from '../rules/issue-acts.ts';
import { actSentence, issueActs } from '../rules/issue-acts.ts';
import type { IssueCode } from '../rules/issue-params.ts';
import { issueCodes, issueSentence } from '../rules/issue-params.ts';

/** What the sentences about an issue are made of. */
interface WordedIssue extends ActSubject {
  readonly code: string;
  /** null in a status written by an older version */
  readonly act: string | null;
  /** the operator's own sentences, for a code or an act of another version */
  readonly message: string;
  readonly fix: string;
}

export interface IssueWords {
  /** what was found */
  readonly found: (issue: WordedIssue) => string;
  /** what has to be done */
  readonly act: (issue: WordedIssue) => string;
}

const isCode = (code: string): code is IssueCode => Object.hasOwn(issueCodes, code);
const isAct = (act: string | null): act is IssueAct => act !== null && Object.hasOwn(issueActs, act);

/** The sentences that the operator writes into a status too. */
export const englishIssues: IssueWords = Object.freeze<IssueWords>({
  found: ({ code, act, params, message }) => (act !== null && isCode(code) ? issueSentence(code, params) : message),
  act: (issue) => (isAct(issue.act) ? actSentence(issue.act, issue) : issue.fix),
});
