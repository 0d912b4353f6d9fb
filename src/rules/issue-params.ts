import type { DnsCode, IssuePlace } from './verdict-codes.ts';
import { verdictCodes } from './verdict-codes.ts';

/** What an issue carries for its sentences: the parameters of its code and of its act. */
export type IssueParams = Readonly<Partial<IssuePlace>>;

const nowhere: IssuePlace = Object.freeze({
  name: '',
  zone: '',
  cnameDomain: '',
  authority: '',
  addresses: '',
  behind: '',
  cdn: '',
  target: '',
  fault: '',
  server: '',
  records: '',
  signers: '',
  keys: '',
  at: '',
});

/** The parameters that a code and an act need, of all that is known about the place. */
export function issueParams(
  place: IssueParams,
  { code, ofAct }: { readonly code: DnsCode; readonly ofAct: readonly (keyof IssuePlace)[] },
): IssueParams {
  const needed = new Set([...verdictCodes[code].params, ...ofAct]);
  return Object.freeze(Object.fromEntries([...needed].map((key) => [key, place[key] ?? ''])));
}

/** What was found, as a sentence without a full stop: the only place where it is built. */
export const issueSentence = (code: DnsCode, params: IssueParams): string =>
  verdictCodes[code].sentence({ ...nowhere, ...params });
