/** What the sentence of a code can name. */
interface IssuePlace {
  /** the name that was asked about */
  readonly name: string;
  /** apex of the zone that holds the name, or the name itself while that is unknown */
  readonly zone: string;
  /** the domain all targets lie under */
  readonly cnameDomain: string;
  /** the certificate authority's CAA issuer domain */
  readonly authority: string;
}

interface VerdictCode {
  /** one line, for docs/reference */
  readonly meaning: string;
  /** what was found at a place, as an issue or a condition says it; without a full stop, as a fix follows */
  readonly sentence: (place: IssuePlace) => string;
}

/**
 * Every code that a verdict or an issue can carry: stable, shown to people and programs. Where several views say the same,
 * the code that stands first here speaks for them.
 */
export const verdictCodes = {
  Verified: {
    meaning: 'The wanted records are in place.',
    sentence: ({ name }) => `the records of ${name} are in place`,
  },
  NotAsked: {
    meaning: 'The caller did not ask for this verdict.',
    sentence: ({ name }) => `${name} was not asked about`,
  },
  RecordMissing: {
    meaning: 'No record stands at the hostname.',
    sentence: ({ name }) => `no record stands at ${name}`,
  },
  WrongTarget: {
    meaning: "The CNAME leads to a name that is not the platform's.",
    sentence: ({ name }) => `${name} leads somewhere else`,
  },
  OtherProjectTarget: {
    meaning: "The CNAME names another project's target.",
    sentence: ({ name }) => `${name} points to another project's target`,
  },
  BareCnameDomain: {
    meaning: "The CNAME names the bare CNAME domain instead of the project's own target below it.",
    sentence: ({ name, cnameDomain }) =>
      `${name} points to ${cnameDomain} itself instead of the project's own target below it`,
  },
  StrayAddress: {
    meaning: "An address record (A or AAAA) at the hostname is not the platform's.",
    sentence: ({ name }) => `an address at ${name} is not the platform's`,
  },
  DoubledZone: {
    meaning: 'The record stands at `<hostname>.<zone>`: the form appended the zone to the full name.',
    sentence: ({ name, zone }) => `the record stands at ${name}.${zone}: the form appended ${zone} to the full name`,
  },
  AliasLoop: {
    meaning: 'The aliases form a loop.',
    sentence: ({ name }) => `the aliases of ${name} never end`,
  },
  TooManyAliases: {
    meaning: 'More than eight aliases follow one another; nobody can say where they lead.',
    sentence: ({ name }) => `${name} leads through more than eight aliases`,
  },
  DelegationsDiffer: {
    meaning: 'The servers of a parent zone delegate to different name servers, so none of them is believed.',
    sentence: ({ name }) => `the name servers above ${name} do not agree on who serves it`,
  },
  ServersDisagree: {
    meaning: 'The servers of the zone give different verdicts.',
    sentence: ({ name }) => `the name servers of ${name} give different answers`,
  },
  NoUsableAnswer: {
    meaning: 'No server gave an answer that can be judged.',
    sentence: ({ name }) => `no name server gave a usable answer for ${name}`,
  },
  TxtMissing: {
    meaning: 'The ownership TXT record is not there.',
    sentence: ({ name }) => `no ownership record stands at ${name}`,
  },
  TxtWrong: {
    meaning: 'An ownership TXT record is there with another value.',
    sentence: ({ name }) => `the ownership record at ${name} has another value`,
  },
  HostnameTooLongForTxt: {
    meaning: 'The hostname is so long that no name for an ownership record fits below it.',
    sentence: ({ name }) => `${name} is so long that no name for an ownership record fits below it`,
  },
  CaaForbidsAuthority: {
    meaning: 'The CAA records name other certificate authorities (RFC 8659).',
    sentence: ({ name, authority }) => `CAA at ${name} does not permit ${authority} to issue a certificate`,
  },
  CaaForbidsAccount: {
    meaning: 'The CAA record demands another ACME account (RFC 8657, `accounturi`).',
    sentence: ({ name, authority }) => `CAA at ${name} permits ${authority} only for another ACME account`,
  },
  CaaForbidsMethod: {
    meaning: 'The CAA record demands another validation method (RFC 8657, `validationmethods`).',
    sentence: ({ name, authority }) => `CAA at ${name} permits ${authority} only by another validation method`,
  },
  CaaMalformed: {
    meaning: 'A CAA `issue` property cannot be read and so permits nobody (RFC 8659 section 4.2).',
    sentence: ({ name }) => `CAA at ${name} cannot be read and so permits nobody`,
  },
  CaaCriticalUnknown: {
    meaning: 'A CAA property that must be understood is not known (RFC 8659 section 4.1).',
    sentence: ({ name }) => `CAA at ${name} has a critical property that is not known`,
  },
} as const satisfies Readonly<Record<string, VerdictCode>>;

export type DnsCode = keyof typeof verdictCodes;

/** Codes of the verdict on CAA alone. */
export type CaaCode = Extract<DnsCode, `Caa${string}`>;
