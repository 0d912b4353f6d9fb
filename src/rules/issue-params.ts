import type { DnsCode, IssuePlace } from './verdict-codes.ts';
import { verdictCodes } from './verdict-codes.ts';

/** What an issue carries for its sentences: the parameters of its code and of its act. */
export type IssueParams = Readonly<Partial<IssuePlace>>;

const name = ['name'] as const;
const nameAndAuthority = ['name', 'authority'] as const;

/** What each code's sentence mentions. */
const paramsOfCode: Readonly<Record<DnsCode, readonly (keyof IssuePlace)[]>> = {
  Verified: name,
  NotAsked: name,
  RecordMissing: name,
  WrongTarget: name,
  OtherProjectTarget: name,
  BareCnameDomain: ['name', 'cnameDomain'],
  StrayAddress: name,
  BehindCdn: name,
  CdnForbids: name,
  CdnRedirectLoop: name,
  CdnNeedsOriginCertificate: name,
  CnameAtApex: name,
  DoubledZone: ['name', 'zone'],
  AliasLoop: name,
  TooManyAliases: name,
  DelegationsDiffer: name,
  ServersDisagree: name,
  LameDelegation: ['name', 'zone'],
  NoUsableAnswer: name,
  SomeServersSilent: ['zone'],
  DnssecBogus: ['zone', 'fault', 'server', 'records', 'signers', 'keys', 'at'],
  DnssecUnchecked: name,
  VantagePointsDisagree: name,
  VantagePointSilent: name,
  TxtMissing: name,
  TxtWrong: name,
  HostnameTooLongForTxt: name,
  CaaForbidsAuthority: nameAndAuthority,
  CaaForbidsAccount: nameAndAuthority,
  CaaForbidsMethod: nameAndAuthority,
  CaaMalformed: name,
  CaaCriticalUnknown: name,
};

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
  const needed = new Set([...paramsOfCode[code], ...ofAct]);
  return Object.freeze(Object.fromEntries([...needed].map((key) => [key, place[key] ?? ''])));
}

/** What was found, as a sentence without a full stop: the only place where it is built. */
export const issueSentence = (code: DnsCode, params: IssueParams): string =>
  verdictCodes[code].sentence({ ...nowhere, ...params });
