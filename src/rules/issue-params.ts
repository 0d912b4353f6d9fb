import type { IssueCodeRow } from './codes/code-rows.ts';
import type { IssuePlace } from './codes/issue-place.ts';
import { nowhere } from './codes/issue-place.ts';
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
