import type { verifiedReasons } from '../rules/reasons.ts';
import type { CaaCode, DnsCode } from '../rules/verdict-codes.ts';
import { slipHelp } from './slip-help.ts';
import type { HelpText } from './state-help.ts';

const symptom = 'verification-keeps-failing';

/** What was found in DNS instead of the desired records, by verdict code. */
export const dnsHelp: Readonly<Record<Exclude<DnsCode, CaaCode | 'Verified'>, HelpText>> = {
  ...slipHelp,
  NotRegistered: {
    title: 'This domain isn’t registered',
    meaning: 'Its registry doesn’t know it: it isn’t registered, has expired, or has no name servers.',
    todo: 'Check the spelling. At your registrar, check that it is registered, paid for and has name servers.',
    symptom,
  },
  RecordMissing: {
    title: 'We can’t see your DNS record yet',
    meaning: 'Most DNS changes show up within minutes; some take up to 48 hours.',
    todo: 'Add the record shown at your DNS provider. We check automatically.',
    symptom,
  },
  WrongTarget: {
    title: 'Your domain points somewhere else',
    meaning: 'There is a DNS record for this domain, but it has a different value.',
    todo: 'Change its value to the one shown. It has to match exactly.',
    symptom,
  },
  OtherProjectTarget: {
    title: 'The record has another project’s value',
    meaning: 'Every project has its own value. They look similar, so copy all of it.',
    todo: 'Change the record’s value to the one shown.',
    symptom,
  },
  BareCnameDomain: {
    title: 'The first part of the value is missing',
    meaning: 'The record points to the platform, but not to your project.',
    todo: 'Copy the whole value shown into the record. It begins with p-.',
    symptom,
  },
  CdnNeedsOriginCertificate: {
    title: 'Your CDN rejects our certificate',
    meaning: 'It checks the certificate of its origin, and there is none before the domain is verified.',
    todo: 'At the CDN, set the encryption mode to "Full" until the domain is live, then back to "Full (strict)".',
    symptom,
  },
  CdnRedirectLoop: {
    title: 'Your CDN causes a redirect loop',
    meaning: 'It connects to us over HTTP although visitors use HTTPS, so they are sent to HTTPS again and again.',
    todo: 'At the CDN, change the encryption mode from "Flexible" to "Full".',
    symptom,
  },
  CdnForbids: {
    title: 'Your CDN or firewall blocks our check',
    meaning: 'It refuses our requests, so we can’t tell whether your domain points here.',
    todo: 'At the CDN, allow requests to /.well-known/ through the firewall and bot protection.',
    symptom,
  },
  BehindCdn: {
    title: 'A CDN is in front of your domain',
    meaning: 'Visitors reach a CDN or proxy first, and it doesn’t forward them here yet.',
    todo: 'At the CDN, set the value shown as the origin, keep the Host header, and add a TXT record if one is shown. Or switch to "DNS only".',
    symptom,
  },
  StrayAddress: {
    title: 'An old A or AAAA record is blocking this domain',
    meaning: 'It sends visitors to another server, often the one of an earlier website.',
    todo: 'Delete the records listed, then add the record shown.',
    symptom,
  },
  SeveralCnames: {
    title: 'Your domain has two CNAME records',
    meaning: 'A name can have one only: with more, some visitors arrive here and others elsewhere.',
    todo: 'Delete the records listed and keep the one shown.',
    symptom,
  },
  CnameAtApex: {
    title: 'A root domain can’t have a CNAME record',
    meaning: 'A CNAME at the root hides the domain’s name servers and mail, so some visitors never arrive.',
    todo: 'Delete it and add the ALIAS or ANAME record shown. If your provider has neither, add the A and AAAA records.',
    symptom,
  },
  DoubledZone: {
    title: 'Your DNS provider added the domain twice',
    meaning: 'The record is at a name such as www.example.com.example.com.',
    todo: 'Change the record’s name to the short name shown, such as www or @.',
    symptom,
  },
  AliasLoop: {
    title: 'Your DNS records form a loop',
    meaning: 'They point to each other, so visitors never arrive.',
    todo: 'Delete the records listed, then add the record shown.',
    symptom,
  },
  TooManyAliases: {
    title: 'Too many CNAME records in a row',
    meaning: 'We follow at most eight from one name to the next.',
    todo: 'Point the domain straight to the value shown.',
    symptom,
  },
  DelegationsDiffer: {
    title: 'Your name server settings contradict each other',
    meaning: 'Different servers list different name servers for this domain, so we can’t trust either list.',
    todo: 'At your registrar, remove name servers that you no longer use. If you’ve just moved, wait a day.',
    symptom,
  },
  ServersDisagree: {
    title: 'Not all of your name servers have the record yet',
    meaning: 'That’s normal right after a change.',
    todo: 'Wait an hour. If it stays like this, your registrar lists name servers of different companies: keep one company’s.',
    symptom,
  },
  DnssecBogus: {
    title: 'DNSSEC is broken for your domain',
    meaning:
      'Its DNSSEC signatures aren’t valid. We can’t get a certificate, and many visitors can’t reach the domain.',
    todo: 'At your registrar, replace the DS record with the one your DNS provider shows, or delete it. If a signature has expired, ask your DNS provider to sign again.',
    symptom,
  },
  DnssecUnchecked: {
    title: 'DNSSEC couldn’t be checked',
    meaning: 'We couldn’t check your domain’s signatures just now. This is only a warning.',
    todo: 'Nothing to do: we check again before each certificate is issued.',
    symptom,
  },
  LameDelegation: {
    title: 'Your name servers don’t know this domain',
    meaning: 'Your registrar lists name servers that don’t serve this domain, so nobody can find it.',
    todo: 'At your registrar, enter the name servers of your DNS provider.',
    symptom,
  },
  NoUsableAnswer: {
    title: 'Your name servers don’t answer',
    meaning: 'We couldn’t look this domain up, so we don’t know its records.',
    todo: 'Check that the domain hasn’t expired and that your registrar lists the right name servers. We try again automatically.',
    symptom,
  },
  TypeUnanswered: {
    title: 'Your name servers don’t answer one kind of question',
    meaning: 'They answer others, so your domain is fine. But we and the certificate authority need this answer too.',
    todo: 'Show the details below to your DNS provider. We try again automatically.',
    symptom,
  },
  SomeServersSilent: {
    title: 'Some of your name servers don’t answer',
    meaning: 'The others do, so your domain works. If they fail too, visitors can’t find it.',
    todo: 'Ask your DNS provider, or remove these servers at your registrar.',
    symptom: null,
  },
  FormerEdge: {
    title: 'Your domain still leads to a former address',
    meaning: 'It works there for now. The platform has moved your project to another address.',
    todo: 'Change the address in its record to the one that is shown, unless the record is a CNAME.',
    symptom: null,
  },
  StaleHttpsHints: {
    title: 'An HTTPS record leads browsers elsewhere',
    meaning:
      'Some browsers follow this record (type 65) first, so they don’t arrive here although your addresses are right.',
    todo: 'Delete the HTTPS record of this domain at your DNS provider.',
    symptom: null,
  },
  VantagePointsDisagree: {
    title: 'Your domain has different records in different places',
    meaning: 'We check from several places on the Internet. Different results are normal right after a change.',
    todo: 'Wait an hour. If it stays like this, turn off rules by country at your DNS provider.',
    symptom,
  },
  VantagePointSilent: {
    title: 'We’re checking again',
    meaning: 'We check from several places on the Internet, and one of them couldn’t check just now.',
    todo: 'Nothing to do: we check again automatically.',
    symptom,
  },
  TxtMissing: {
    title: 'We can’t see your TXT record yet',
    meaning: 'This domain needs a TXT record to prove that it’s yours.',
    todo: 'Add the TXT record shown. Its name begins with an underscore.',
    symptom,
  },
  NotByCname: {
    title: 'Your domain leads here, but not by its CNAME',
    meaning: 'What stands there reaches us, but only the CNAME shows that the domain is yours.',
    todo: 'Delete the records listed, then add the CNAME record shown.',
    symptom,
  },
  TxtWrong: {
    title: 'The TXT record has a different value',
    meaning: 'Its value isn’t the one for this domain and your account.',
    todo: 'Change its value to the one shown.',
    symptom,
  },
  HostnameTooLongForTxt: {
    title: 'The domain is too long for a TXT record',
    meaning: 'There is no room for the name of an ownership record.',
    todo: 'Add the CNAME record shown, which usually proves ownership on its own; or use a shorter domain.',
    symptom,
  },
  DelegationMissing: {
    title: 'We can’t see the record that prepares your domain yet',
    meaning: 'It lets us get the certificate while your domain still points to your present host.',
    todo: 'Add the CNAME record shown. Its name begins with an underscore. Leave your other records as they are.',
    symptom,
  },
  DelegationWrong: {
    title: 'The preparing record has a different value',
    meaning: 'It belongs to another domain, or to an earlier time when you added this one.',
    todo: 'Change its value to the one shown.',
    symptom,
  },
  ChallengeNameInUse: {
    title: 'Your present host uses the name that we need',
    meaning: 'It renews its own certificate with a record there, which would stop if you replaced it.',
    todo: 'Leave that record and switch without preparing: add the other record shown when you are ready.',
    symptom,
  },
  NotAsked: {
    title: 'Not needed',
    meaning: 'Your domain doesn’t need this part.',
    todo: 'Nothing to do: this part is left out on purpose.',
    symptom: null,
  },
};

/** CAA records say which authorities may issue certificates for a domain. */
export const caaHelp: Readonly<Record<CaaCode, HelpText>> = {
  CaaForbidsAuthority: {
    title: 'A CAA record blocks your certificate',
    meaning: 'CAA records list who may issue certificates for your domain; our certificate authority isn’t listed.',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
    symptom: 'no-certificate',
  },
  CaaForbidsAccount: {
    title: 'A CAA record names another account',
    meaning: 'It allows our certificate authority, but only for another account there (accounturi).',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
    symptom: 'no-certificate',
  },
  CaaForbidsMethod: {
    title: 'A CAA record requires another method',
    meaning: 'It allows our certificate authority, but only with another method (validationmethods).',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
    symptom: 'no-certificate',
  },
  CaaMalformed: {
    title: 'A CAA record contains a mistake',
    meaning: 'A CAA record that can’t be read allows nobody to issue a certificate.',
    todo: 'Delete the record listed and add the one shown. Then select Re-verify.',
    symptom: 'no-certificate',
  },
  CaaCriticalUnknown: {
    title: 'A CAA record requires something unknown',
    meaning: 'It is marked as critical, and we don’t know what it means, so we can’t get a certificate.',
    todo: 'Delete the record listed and add the one shown. Then select Re-verify.',
    symptom: 'no-certificate',
  },
};

/** Progress of the proof of ownership. */
export const verifiedHelp: Readonly<Record<Exclude<keyof typeof verifiedReasons, 'Waiting'>, HelpText>> = {
  Verified: {
    title: 'DNS is set up correctly',
    meaning: 'Your records are in place and prove that the domain is yours.',
    todo: 'Nothing to do: your certificate is issued automatically.',
    symptom: null,
  },
  HeldElsewhere: {
    title: 'Another account uses this domain',
    meaning: 'Another account connected this domain before. If it’s yours, prove it with a TXT record.',
    todo: 'Add both records shown and delete the other account’s. The domain then moves to you.',
    symptom,
  },
  OverlapsElsewhere: {
    title: 'Another account uses a domain that overlaps',
    meaning:
      'A wildcard and a domain that it includes can’t belong to two accounts. The message says which one is taken.',
    todo: 'If that one is yours as well, add it here and prove it with a TXT record. Otherwise remove this domain.',
    symptom,
  },
  OneServerAlone: {
    title: 'Only one of your name servers answered',
    meaning: 'Your records are correct, but two name servers have to confirm them.',
    todo: 'Ask your DNS provider why the others don’t answer. We try again automatically.',
    symptom,
  },
  Transferring: {
    title: 'The domain is moving to your account',
    meaning: 'You’ve proved that it’s yours. The other account is disconnected once its records are gone.',
    todo: 'Nothing to do, unless records of the other account are left in your DNS: delete them.',
    symptom: null,
  },
  Unreachable: {
    title: 'Your name servers haven’t answered for 30 days',
    meaning: 'We haven’t been able to look this domain up for 30 days.',
    todo: 'Check that the domain hasn’t expired and that your registrar lists the right name servers. Then select Re-verify.',
    symptom,
  },
};
