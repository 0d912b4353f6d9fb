import type { IssueCodeRow, IssuePlace } from './codes/code-rows.ts';
import { nowhere } from './codes/code-rows.ts';
import { refusalCodes } from './codes/refusal-codes.ts';
import { routeCodes } from './codes/route-codes.ts';
import { verdictCodes } from './verdict-codes.ts';

/** Every code that an issue can have: what was found in DNS, what a Gateway says of a route, and why a write was refused. */
export const issueCodes = Object.freeze({ ...verdictCodes, ...routeCodes, ...refusalCodes });

export type IssueCode = keyof typeof issueCodes;

const codeOf = (code: IssueCode): IssueCodeRow => issueCodes[code];

/** What an issue carries for its sentences: the parameters of its code and of its act. */
export type IssueParams = Readonly<Partial<IssuePlace>>;

/** The parameters that a code and an act need, of all that is known about the place. */
export function issueParams(
  place: IssueParams,
  { code, ofAct }: { readonly code: IssueCode; readonly ofAct: readonly (keyof IssuePlace)[] },
): IssueParams {
  const needed = new Set([...codeOf(code).params, ...ofAct]);
  return Object.freeze(Object.fromEntries([...needed].map((key) => [key, place[key] ?? ''])));
}

/** What was found, as a sentence without a full stop: the only place where it is built. */
export const issueSentence = (code: IssueCode, params: IssueParams): string =>
  codeOf(code).sentence({ ...nowhere, ...params });

/** What an issue says, in a status or before it is written to one. */
export interface ToldIssue {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** The message of a condition whose reason is that of an issue: what was found, and what to do. */
export const messageOfIssue = ({ message, fix }: Pick<ToldIssue, 'message' | 'fix'>): string => `${message}; ${fix}`;

/**
 * The message of a condition whose reason is a code: what its own issue says; without one what the code says of the place, and what to do by the first
 * issue that there is. `issues`: without warnings, in their order.
 */
export function messageOfCode(code: IssueCode, issues: readonly ToldIssue[], place: IssueParams): string {
  const own = issues.find((issue) => issue.code === code);
  if (own) return messageOfIssue(own);
  const message = issueSentence(code, place);
  const [first] = issues;
  return first ? messageOfIssue({ message, fix: first.fix }) : message;
}
