import type { verifiedReasons } from '../rules/reasons.ts';
import type { CaaCode, DnsCode } from '../rules/verdict-codes.ts';
import type { HelpText } from './state-help.ts';

const symptom = 'verification-keeps-failing';

/** What was found in DNS instead of the desired records, by verdict code. */
export const dnsHelp: Readonly<Record<Exclude<DnsCode, CaaCode | 'Verified'>, HelpText>> = {
  RecordMissing: {
    title: 'Waiting for your DNS record',
    meaning:
      'The record that points visitors here is not visible yet. New records often become visible within minutes.',
    todo: 'Create the record shown, at the company that manages your DNS. We will find it automatically.',
    symptom,
  },
  WrongTarget: {
    title: 'The domain points somewhere else',
    meaning: 'There is a record for this domain, but it points somewhere else.',
    todo: 'Change its value to the one shown, or delete it and create the record shown.',
    symptom,
  },
  OtherProjectTarget: {
    title: 'The record belongs to another project',
    meaning: 'Every project has its own value, and the record has the value of another project.',
    todo: 'Copy the value shown here into the record. It looks similar, so compare all of it.',
    symptom,
  },
  BareCnameDomain: {
    title: 'The value is cut short',
    meaning: 'The record points to the platform but lacks the first part of the value, which names your project.',
    todo: 'Copy the whole value shown into the record, beginning with p-.',
    symptom,
  },
  CdnNeedsOriginCertificate: {
    title: 'Your CDN refuses our certificate',
    meaning:
      'The CDN in front of your domain checks our certificate, which does not exist before the domain is verified.',
    todo: 'At the CDN, stop verifying the origin certificate until the domain is Live (mode "Full"). Then switch it on again.',
    symptom,
  },
  CdnRedirectLoop: {
    title: 'Your CDN redirects in a circle',
    meaning: 'The CDN asks us by http although visitors use https, so every answer sends them to https again.',
    todo: 'At the CDN, set the encryption towards the origin to "Full", not "Flexible".',
    symptom,
  },
  CdnForbids: {
    title: 'Your CDN or firewall keeps us out',
    meaning: 'A server in front of your domain refuses our requests, so we cannot see whether it leads here.',
    todo: 'Let requests below /.well-known/ pass the firewall and the bot protection of your CDN.',
    symptom,
  },
  BehindCdn: {
    title: 'A CDN is in front of your domain',
    meaning: 'Visitors reach a CDN or proxy first, and it does not pass their requests on to us yet.',
    todo: 'At the CDN, set the value shown as the origin, keep the Host header, and create the TXT record shown. The last resort is DNS only.',
    symptom,
  },
  StrayAddress: {
    title: 'An old address is in the way',
    meaning: 'An address record (A or AAAA) sends visitors to another server, often that of an earlier website.',
    todo: 'Delete the address records listed, then create the record shown.',
    symptom,
  },
  CnameAtApex: {
    title: 'A CNAME record is at the domain itself',
    meaning: "A CNAME at the domain itself hides the domain's name servers and mail, so some visitors never arrive.",
    todo: 'Delete it and create the ALIAS or ANAME record shown, or the address records.',
    symptom,
  },
  DoubledZone: {
    title: 'The domain appears twice in the name',
    meaning: 'The form added your domain to the name, although the name already had it.',
    todo: 'Enter only the short name shown (such as www, or @) in the field for the name.',
    symptom,
  },
  AliasLoop: {
    title: 'The records form a loop',
    meaning: 'One record points to another that points back, so visitors never arrive.',
    todo: 'Delete the records that point to each other and create the one shown.',
    symptom,
  },
  TooManyAliases: {
    title: 'The records lead on for too long',
    meaning: 'One record points to another, and so on more than eight times; we stop following them there.',
    todo: 'Point the hostname to the value shown directly, without other names in between.',
    symptom,
  },
  DelegationsDiffer: {
    title: 'The servers above your domain disagree',
    meaning: 'Not all of them list the same name servers for this domain, so none of them is trusted.',
    todo: 'At the company that manages your DNS, remove name servers that are no longer yours. After a move, wait a day.',
    symptom,
  },
  ServersDisagree: {
    title: 'Your name servers give different answers',
    meaning: 'Some servers of your domain have the new record and others do not. Right after a change that is normal.',
    todo: 'Wait an hour. If it persists, the name servers set at your registrar belong to different companies: keep one of them.',
    symptom,
  },
  DnssecBogus: {
    title: 'The DNSSEC of your domain is broken',
    meaning:
      'Your domain is signed (DNSSEC), but the signatures do not hold. Certificate authorities refuse such a domain, and many visitors cannot reach it.',
    todo: 'At your registrar, compare the DS record with the one that the company that manages your DNS shows: replace it, or delete it. If a signature has expired, ask that company to sign again.',
    symptom,
  },
  DnssecUnchecked: {
    title: 'DNSSEC was not checked',
    meaning: 'Whether the signatures of your domain hold could not be checked just now. This is only a warning.',
    todo: 'Nothing to do: it is checked again before each certificate is ordered.',
    symptom,
  },
  LameDelegation: {
    title: 'Your name servers do not know the domain',
    meaning: 'The name servers entered at your registrar do not serve this domain, so nobody can look it up.',
    todo: 'Enter the name servers of the company that manages your DNS at your registrar, or add the domain there.',
    symptom,
  },
  NoUsableAnswer: {
    title: 'Your name servers do not answer',
    meaning: 'The domain could not be looked up, so nothing is known about its records.',
    todo: 'Check that the domain is paid for and that your registrar lists the right name servers. We try again automatically.',
    symptom,
  },
  SomeServersSilent: {
    title: 'Some of your name servers do not answer',
    meaning:
      'The others answered, so nothing waits for this. If they fail too, visitors can no longer find the domain.',
    todo: 'Ask the company that manages your DNS, or remove these servers at your registrar.',
    symptom: null,
  },
  VantagePointsDisagree: {
    title: 'Your domain looks different from different places',
    meaning:
      'We look at your domain from several places on the Internet, and they see different records. Right after a change that is normal.',
    todo: 'Wait an hour. If it persists, make your name servers give the same answer everywhere, without rules by country.',
    symptom,
  },
  VantagePointSilent: {
    title: 'We are checking again',
    meaning: 'We look at your domain from several places on the Internet, and one of them could not look just now.',
    todo: 'Nothing. We check again automatically.',
    symptom,
  },
  TxtMissing: {
    title: 'Waiting for the ownership record',
    meaning: 'This domain needs a second record, of type TXT, to prove that it is yours.',
    todo: 'Create the TXT record shown. Enter the name exactly, with the underscore at the beginning.',
    symptom,
  },
  TxtWrong: {
    title: 'The ownership record has another value',
    meaning: 'The TXT record is there, but its value is not the one for this domain and account.',
    todo: 'Replace its value with the one shown. An old value never becomes valid again.',
    symptom,
  },
  HostnameTooLongForTxt: {
    title: 'The name is too long',
    meaning: 'The name is so long that there is no room for an ownership record below it.',
    todo: 'Create the CNAME record shown, which proves ownership on its own in most cases; or use a shorter name.',
    symptom,
  },
  NotAsked: {
    title: 'Not checked',
    meaning: 'This part is not needed for your domain.',
    todo: 'Nothing to do: this part was left out on purpose.',
    symptom: null,
  },
};

/** CAA records say which authorities may issue certificates for a domain. */
export const caaHelp: Readonly<Record<CaaCode, HelpText>> = {
  CaaForbidsAuthority: {
    title: 'A CAA record forbids the certificate',
    meaning: 'CAA records list who may issue certificates for your domain, and our authority is not on the list.',
    todo: 'Add the CAA record shown beside those you have; then verify again.',
    symptom: 'no-certificate',
  },
  CaaForbidsAccount: {
    title: 'A CAA record names another account',
    meaning: 'Your CAA record allows our certificate authority, but only for another account there (accounturi).',
    todo: 'Add the CAA record shown beside those you have; then verify again.',
    symptom: 'no-certificate',
  },
  CaaForbidsMethod: {
    title: 'A CAA record requires another validation method',
    meaning: 'Your CAA record allows our certificate authority, but only with another method (validationmethods).',
    todo: 'Add the CAA record shown beside those you have; then verify again.',
    symptom: 'no-certificate',
  },
  CaaMalformed: {
    title: 'A CAA record cannot be read',
    meaning: 'A CAA record of your domain contains a mistake, and such a record allows nobody.',
    todo: 'Delete the record listed and create the one shown; then verify again.',
    symptom: 'no-certificate',
  },
  CaaCriticalUnknown: {
    title: 'A CAA record requires something unknown',
    meaning:
      'A CAA record is marked as critical and has a meaning that the platform does not know, so no certificate is ordered.',
    todo: 'Delete the record listed and create the one shown; then verify again.',
    symptom: 'no-certificate',
  },
};

/** Progress of the proof of ownership. */
export const verifiedHelp: Readonly<Record<Exclude<keyof typeof verifiedReasons, 'Waiting'>, HelpText>> = {
  Verified: {
    title: 'DNS is right',
    meaning: 'The records are in place and prove that the domain is yours.',
    todo: 'Nothing to do: the certificate follows automatically.',
    symptom: null,
  },
  HeldElsewhere: {
    title: 'Another account holds this domain',
    meaning: 'Another account connected this domain earlier. If it is yours, prove that with a TXT record.',
    todo: 'Create both records shown. The domain moves here once the records of the other account are gone.',
    symptom,
  },
  OneServerAlone: {
    title: 'Only one name server answered',
    meaning: 'Your records are right, but only one of your name servers confirms it, and two must.',
    todo: 'Ask the company that manages your DNS why the others do not answer. We try again automatically.',
    symptom,
  },
  Transferring: {
    title: 'The domain is moving to you',
    meaning: 'Your proof is valid. The other account is disconnected once its own records are gone from your DNS.',
    todo: 'Delete older records of this platform for this domain. If there are none: nothing to do.',
    symptom: null,
  },
  Unreachable: {
    title: 'Your name servers have not answered for a long time',
    meaning: 'For thirty days this domain could not be looked up at its own name servers.',
    todo: 'Check that the domain is paid for and that your registrar lists the right name servers, then verify again.',
    symptom,
  },
};
