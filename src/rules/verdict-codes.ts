import type { FaultParams } from './dnssec-sentences.ts';
import { dnssecFaultSentence } from './dnssec-sentences.ts';

/** What a code's sentence, or the sentence of an act, can mention. */
export interface IssuePlace extends FaultParams {
  /** the name that was queried */
  readonly name: string;
  /** apex of the zone that contains the name, or the name itself while that is unknown */
  readonly zone: string;
  /** the domain all targets lie under */
  readonly cnameDomain: string;
  /** the certificate authority's CAA issuer domain */
  readonly authority: string;
  /** the platform's addresses, for hosts without ALIAS; separated by commas, empty if unknown */
  readonly addresses: string;
  /** name of the CDN in front of it; empty if unknown */
  readonly cdn: string;
  /** the project's CNAME target */
  readonly target: string;
  /** what the record has as its value, as it was typed */
  readonly value: string;
  /** another name, at which the record is */
  readonly elsewhere: string;
  /** types of records, such as `CAA`; separated by commas */
  readonly types: string;
  /** servers that are wrong while others of the zone are right; separated by commas */
  readonly behind: string;
  /** the Gateway that is to serve it, as `Gateway namespace/name` */
  readonly edge: string;
  /** the reason that the Gateway's controller gives, as one word */
  readonly said: string;
  /** name of the Service that it leads to */
  readonly service: string;
  /** name of the Secret with its certificate */
  readonly secret: string;
  /** the object whose write was refused, as `Kind namespace/name` */
  readonly object: string;
  /** what refused it: a ResourceQuota, a policy or a webhook, by its name; empty if unknown */
  readonly by: string;
}

export interface VerdictCode {
  /** one line, for docs/reference */
  readonly meaning: string;
  /** what its sentence mentions */
  readonly params: readonly (keyof IssuePlace)[];
  /** what was found, for the message of an issue or condition; without a full stop, as a fix follows */
  readonly sentence: (place: IssuePlace) => string;
}

/**
 * Every code that a verdict or an issue can have: stable, shown to people and programs. Of several views with the same
 * verdict, usually the one with the first code in this table is reported.
 */
export const verdictCodes = {
  Verified: {
    meaning: 'The required records are in place.',
    params: ['name'],
    sentence: ({ name }) => `the records of ${name} are in place`,
  },
  NotAsked: {
    meaning: 'This verdict was not requested.',
    params: ['name'],
    sentence: ({ name }) => `${name} was not checked`,
  },
  UrlInValue: {
    meaning: "The CNAME's value is the project's target written as the address of a page, such as `https://…/`.",
    params: ['name', 'value'],
    sentence: ({ name, value }) => `the value of ${name} is ${value}: the address of a page instead of a name`,
  },
  QuotedValue: {
    meaning: "The CNAME's value has quotation marks or blanks in it.",
    params: ['name', 'value'],
    sentence: ({ name, value }) => `the value of ${name} is ${value}, with quotation marks or blanks in it`,
  },
  ZoneInValue: {
    meaning: "A form appended the zone to the CNAME's value, as that had no final dot.",
    params: ['name', 'value', 'zone'],
    sentence: ({ name, value, zone }) => `the value of ${name} is ${value}: the form appended ${zone} to it`,
  },
  MistypedTarget: {
    meaning:
      "The CNAME's value is almost the project's target: letters are missing, added, changed or swapped, or a part is missing or too much.",
    params: ['name', 'value', 'target'],
    sentence: ({ name, value, target }) => `the value of ${name} is ${value}, which is almost ${target}`,
  },
  NotRegistered: {
    meaning: 'The registry does not know the domain: it is not registered, or has no name servers.',
    params: ['zone'],
    sentence: ({ zone }) => `${zone} is not registered, or has no name servers`,
  },
  RecordAtOtherName: {
    meaning: 'No DNS record exists for the hostname, but one with the right value is at another name of its zone.',
    params: ['name', 'elsewhere'],
    sentence: ({ name, elsewhere }) =>
      `no DNS record exists for ${name}, but one with the right value is at ${elsewhere}`,
  },
  RecordMissing: {
    meaning: 'No DNS record exists for the hostname.',
    params: ['name'],
    sentence: ({ name }) => `no DNS record exists for ${name}`,
  },
  WrongTarget: {
    meaning: "The CNAME points to a name that is not the platform's.",
    params: ['name'],
    sentence: ({ name }) => `${name} points somewhere else`,
  },
  OtherProjectTarget: {
    meaning: "The CNAME points to another project's target.",
    params: ['name'],
    sentence: ({ name }) => `${name} points to another project's target`,
  },
  BareCnameDomain: {
    meaning: "The CNAME points to the bare CNAME domain instead of the project's own target below it.",
    params: ['name', 'cnameDomain'],
    sentence: ({ name, cnameDomain }) =>
      `${name} points to ${cnameDomain} itself instead of the project's own target below it`,
  },
  CdnNeedsOriginCertificate: {
    meaning: "A CDN in front of the hostname refuses the platform's certificate.",
    params: ['name'],
    sentence: ({ name }) => `the CDN in front of ${name} refuses the certificate that the platform shows to it`,
  },
  CdnRedirectLoop: {
    meaning: 'A CDN in front of the hostname redirects from http to https in a circle.',
    params: ['name'],
    sentence: ({ name }) => `the CDN in front of ${name} redirects in a circle`,
  },
  CdnForbids: {
    meaning: 'A server in front of the hostname refuses our requests (401, 403 or 429).',
    params: ['name'],
    sentence: ({ name }) => `the server in front of ${name} refuses our requests`,
  },
  BehindCdn: {
    meaning: 'A CDN or proxy is in front of the hostname, and requests through it do not arrive at the platform.',
    params: ['name'],
    sentence: ({ name }) => `${name} is behind a CDN or proxy, and requests through it do not arrive here`,
  },
  StrayAddress: {
    meaning: "An address record (A or AAAA) at the hostname is not the platform's.",
    params: ['name'],
    sentence: ({ name }) => `an A or AAAA record of ${name} leads to another server`,
  },
  SeveralCnames: {
    meaning: 'The name has more than one CNAME record, so where it leads changes from answer to answer (RFC 1034).',
    params: ['name'],
    sentence: ({ name }) => `${name} has more than one CNAME record, and a name can have one only`,
  },
  CnameAtApex: {
    meaning: 'A CNAME record is at the domain itself, where it hides its name servers and mail (RFC 1034).',
    params: ['name'],
    sentence: ({ name }) => `a CNAME record is at ${name} itself, where it hides the domain's name servers and mail`,
  },
  DoubledZone: {
    meaning: 'The record is at `<hostname>.<zone>`: the form appended the zone to the full name.',
    params: ['name', 'zone'],
    sentence: ({ name, zone }) => `the record is at ${name}.${zone}: the form appended ${zone} to the full name`,
  },
  AliasLoop: {
    meaning: 'The aliases form a loop.',
    params: ['name'],
    sentence: ({ name }) => `the aliases of ${name} form a loop`,
  },
  TooManyAliases: {
    meaning: 'More than eight aliases follow one another, so where they lead is not followed.',
    params: ['name'],
    sentence: ({ name }) => `${name} leads through more than eight aliases`,
  },
  DelegationsDiffer: {
    meaning: 'The servers of a parent zone delegate to different name servers, so none of them is trusted.',
    params: ['name'],
    sentence: ({ name }) =>
      `the zone above lists different name servers for ${name}, depending on which of its servers answers`,
  },
  ServersDisagree: {
    meaning: 'The servers of the zone give different verdicts.',
    params: ['name'],
    sentence: ({ name }) => `the name servers of ${name} give different answers`,
  },
  DnssecBogus: {
    meaning:
      'Validating resolvers refuse the answers because their DNSSEC signatures are not valid; authorities will refuse them too.',
    params: ['zone', 'fault', 'server', 'records', 'signers', 'keys', 'at', 'codes'],
    sentence: dnssecFaultSentence,
  },
  DnssecUnchecked: {
    meaning: 'Only a warning: the configured resolvers could not tell whether DNSSEC is set up correctly.',
    params: ['name'],
    sentence: ({ name }) => `DNSSEC of ${name} could not be checked`,
  },
  LameDelegation: {
    meaning: 'The name servers that the registrar names do not serve the zone.',
    params: ['name', 'zone'],
    sentence: ({ name, zone }) => `the name servers of ${name} do not serve ${zone}`,
  },
  NoUsableAnswer: {
    meaning: 'No name server gave a usable answer.',
    params: ['name'],
    sentence: ({ name }) => `no name server gave a usable answer for ${name}`,
  },
  TypeUnanswered: {
    meaning:
      'The name servers of the zone answer, but not questions for this type of record, such as CAA: they have to answer that there is none.',
    params: ['name', 'zone', 'types'],
    sentence: ({ name, zone, types }) =>
      `the name servers of ${zone} answer, but not when asked for ${types} records of ${name}`,
  },
  SomeServersSilent: {
    meaning: 'Some servers of the zone gave no usable answer; the others decided. A warning.',
    params: ['zone'],
    sentence: ({ zone }) => `some name servers of ${zone} gave no usable answer; the others decided`,
  },
  FormerEdge: {
    meaning: 'It still leads to an edge of the platform that its project has left, and is served there. A warning.',
    params: ['name'],
    sentence: ({ name }) => `${name} still leads to an address of the platform that its project has left`,
  },
  StaleHttpsHints: {
    meaning:
      'The HTTPS record (type 65) of the hostname names another server than its addresses do, and browsers follow it first. A warning.',
    params: ['name'],
    sentence: ({ name }) => `the HTTPS record of ${name} leads browsers to another server than its addresses do`,
  },
  VantagePointsDisagree: {
    meaning: 'The same check from different places on the Internet has different results.',
    params: ['name'],
    sentence: ({ name }) => `${name} looks different from different places on the Internet`,
  },
  VantagePointSilent: {
    meaning: "The platform's check from another place on the Internet gave no result.",
    params: ['name'],
    sentence: ({ name }) => `the check of ${name} from another place on the Internet gave no result`,
  },
  TxtQuoted: {
    meaning: 'The ownership TXT record has quotation marks or blanks as part of its text.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} has quotation marks or blanks as part of its text`,
  },
  TxtBareToken: {
    meaning: 'The ownership TXT record has only what comes after `projectdomain-verify=`.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} lacks projectdomain-verify= in front`,
  },
  TxtMistyped: {
    meaning: 'The ownership TXT record has almost the right text: letters differ, or something else is in it too.',
    params: ['name'],
    sentence: ({ name }) => `the text of the ownership record at ${name} is almost the right one`,
  },
  TxtAtOtherName: {
    meaning: 'The ownership TXT record is at another name than the one shown.',
    params: ['name', 'elsewhere'],
    sentence: ({ name, elsewhere }) => `the ownership record is at ${elsewhere} instead of ${name}`,
  },
  TxtMissing: {
    meaning: 'No ownership TXT record exists.',
    params: ['name'],
    sentence: ({ name }) => `no ownership record exists at ${name}`,
  },
  NotByCname: {
    meaning: 'It leads here by addresses that many share; its CNAME in their place proves it without a TXT record.',
    params: ['name'],
    sentence: ({ name }) => `${name} leads here by addresses that many share, which do not prove whose it is`,
  },
  TxtWrong: {
    meaning: 'There is an ownership TXT record with the wrong value.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} has the wrong value`,
  },
  HostnameTooLongForTxt: {
    meaning: 'The hostname is so long that no name for an ownership record fits below it.',
    params: ['name'],
    sentence: ({ name }) => `${name} is so long that no name for an ownership record fits below it`,
  },
  DelegationMissing: {
    meaning:
      'The hostname is to be prepared before it is switched, and the record that delegates its challenge name does not exist.',
    params: ['name'],
    sentence: ({ name }) => `no record at ${name} lets the platform prepare the certificate`,
  },
  DelegationWrong: {
    meaning:
      'The challenge name is delegated to the platform, but to another name than this domain has: an older record, or that of another one.',
    params: ['name'],
    sentence: ({ name }) => `the record at ${name} belongs to another domain here, or is out of date`,
  },
  ChallengeNameInUse: {
    meaning:
      'Somebody else answers certificate challenges at the challenge name, usually the present host for its own renewals.',
    params: ['name'],
    sentence: ({ name }) => `the present host answers certificate challenges at ${name}`,
  },
  CaaForbidsAuthority: {
    meaning: 'The CAA records name other certificate authorities (RFC 8659).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) => `the CAA records of ${name} do not allow ${authority} to issue a certificate`,
  },
  CaaForbidsAccount: {
    meaning: 'The CAA record requires another ACME account (RFC 8657, `accounturi`).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) => `the CAA records of ${name} allow ${authority} only for another ACME account`,
  },
  CaaForbidsMethod: {
    meaning: 'The CAA record requires another validation method (RFC 8657, `validationmethods`).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) =>
      `the CAA records of ${name} allow ${authority} only with another validation method`,
  },
  CaaMalformed: {
    meaning: 'A CAA `issue` property is malformed and so permits nobody (RFC 8659 section 4.2).',
    params: ['name'],
    sentence: ({ name }) => `a CAA record of ${name} is malformed, so nobody may issue a certificate`,
  },
  CaaCriticalUnknown: {
    meaning: 'A CAA property that is marked critical is unknown (RFC 8659 section 4.1).',
    params: ['name'],
    sentence: ({ name }) => `a CAA record of ${name} has an unknown property that is marked critical`,
  },
} as const satisfies Readonly<Record<string, VerdictCode>>;

export type DnsCode = keyof typeof verdictCodes;

/** Codes that only the CAA verdict can have. */
export type CaaCode = Extract<DnsCode, `Caa${string}`>;

/** Codes about what stands between visitors and the platform. */
export type ProxyCode = 'BehindCdn' | Extract<DnsCode, `Cdn${string}`>;

const proxyCodes: ReadonlySet<string> = new Set<ProxyCode>([
  'CdnNeedsOriginCertificate',
  'CdnRedirectLoop',
  'CdnForbids',
  'BehindCdn',
]);

export const isProxyCode = (code: string): code is ProxyCode => proxyCodes.has(code);
