import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import { issueSentence } from '../../rules/issue-params.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { IssueView } from '../../use-cases/issue-view.ts';

/** What was found, from the code and its parameters; the message where another version's code is unknown here. */
export function sentenceOf({ code, act, params, message }: IssueView): string {
  return act !== null && isCode(code) ? issueSentence(code, params) : message;
}

/** What has to be done, from the act, its parameters and the records. */
export function actOf(issue: IssueView): string {
  const { act, fix } = issue;
  return act !== null && isAct(act) ? actSentence(act, issue) : fix;
}

const isCode = (code: string): code is DnsCode => Object.hasOwn(verdictCodes, code);
const isAct = (act: string): act is IssueAct => Object.hasOwn(issueActs, act);
