/** Every code a verdict or an issue can carry. Stable: they are documented and shown to people and programs. */
export const verdictCodes = {
  /** the wanted records are in place */
  Verified: 'Verified',
  /** the caller did not ask for this verdict */
  NotAsked: 'NotAsked',
  /** nothing stands at the name */
  RecordMissing: 'RecordMissing',
  /** the CNAME leads to a name that is not the platform's */
  WrongTarget: 'WrongTarget',
  /** the CNAME names another project's target */
  OtherProjectTarget: 'OtherProjectTarget',
  /** the CNAME names the bare CNAME domain instead of the project's own target */
  BareCnameDomain: 'BareCnameDomain',
  /** address records that are not the platform's */
  StrayAddress: 'StrayAddress',
  /** the record stands at `<hostname>.<zone>`: the form appended the zone again */
  DoubledZone: 'DoubledZone',
  /** aliases go round in a circle or on for too long */
  AliasLoop: 'AliasLoop',
  /** servers of a parent zone delegate to different name servers, so nobody can be believed */
  DelegationsDiffer: 'DelegationsDiffer',
  /** servers of the zone give different verdicts */
  ServersDisagree: 'ServersDisagree',
  /** no server gave an answer that can be judged */
  NoUsableAnswer: 'NoUsableAnswer',
  /** the ownership TXT is not there */
  TxtMissing: 'TxtMissing',
  /** an ownership TXT is there with another value */
  TxtWrong: 'TxtWrong',
  /** the hostname is so long that no name for an ownership record fits below it */
  HostnameTooLongForTxt: 'HostnameTooLongForTxt',
  /** a CAA record set names other authorities */
  CaaForbidsAuthority: 'CaaForbidsAuthority',
  /** the issue property demands another account (RFC 8657 accounturi) */
  CaaForbidsAccount: 'CaaForbidsAccount',
  /** the issue property demands another method (RFC 8657 validationmethods) */
  CaaForbidsMethod: 'CaaForbidsMethod',
  /** an issue property cannot be read and so permits nobody (RFC 8659 section 4.2) */
  CaaMalformed: 'CaaMalformed',
  /** a property that must be understood is not known (RFC 8659 section 4.1) */
  CaaCriticalUnknown: 'CaaCriticalUnknown',
} as const;
