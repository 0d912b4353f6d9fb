import { dnssecFaultSentence } from '../dnssec-sentences.ts';
import type { VerdictCodeRow } from './code-rows.ts';
import { askDnsHost, askRegistrar } from './code-rows.ts';

const ofDnsHost = { ...askDnsHost, aboutTarget: false } as const;
const ofRegistrar = { ...askRegistrar, aboutTarget: false } as const;

/** Name servers, delegations and DNSSEC, and where browsers or checks from elsewhere find something else. */
export const serverCodes = {
  DelegationsDiffer: {
    ...ofDnsHost,
    definition: 'The servers of a parent zone delegate to different name servers, so none of them is trusted.',
    params: ['name'],
    sentence: ({ name }) =>
      `the zone above lists different name servers for ${name}, depending on which of its servers answers`,
    title: 'Your name server settings contradict each other',
    meaning: 'Different servers list different name servers for this domain, so we can’t trust either list.',
    todo: 'At your registrar, remove name servers that you no longer use. If you’ve just moved, wait a day.',
  },
  ServersDisagree: {
    ...ofDnsHost,
    definition: 'The servers of the zone give different verdicts.',
    params: ['name'],
    sentence: ({ name }) => `the name servers of ${name} give different answers`,
    title: 'Not all of your name servers have the record yet',
    meaning: 'That’s normal right after a change.',
    todo: 'Wait an hour. If it stays like this, your registrar lists name servers of different companies: keep one company’s.',
  },
  DnssecBogus: {
    ...ofRegistrar,
    definition:
      'Validating resolvers refuse the answers because their DNSSEC signatures are not valid; authorities will refuse them too.',
    params: ['zone', 'fault', 'server', 'records', 'signers', 'keys', 'at', 'codes'],
    sentence: dnssecFaultSentence,
    title: 'DNSSEC is broken for your domain',
    meaning:
      'Its DNSSEC signatures aren’t valid. We can’t get a certificate, and many visitors can’t reach the domain.',
    todo: 'At your registrar, replace the DS record with the one your DNS provider shows, or delete it. If a signature has expired, ask your DNS provider to sign again.',
  },
  DnssecUnchecked: {
    definition: 'Only a warning: the configured resolvers could not tell whether DNSSEC is set up correctly.',
    params: ['name'],
    sentence: ({ name }) => `DNSSEC of ${name} could not be checked`,
    aboutTarget: false,
    title: 'DNSSEC couldn’t be checked',
    meaning: 'We couldn’t check your domain’s signatures just now. This is only a warning.',
    todo: 'Nothing to do: we check again before each certificate is issued.',
    symptom: 'verification-keeps-failing',
    step: { kind: null, actor: 'Platform' },
  },
  LameDelegation: {
    ...ofRegistrar,
    definition: 'The name servers that the registrar names do not serve the zone.',
    params: ['name', 'zone'],
    sentence: ({ name, zone }) => `the name servers of ${name} do not serve ${zone}`,
    title: 'Your name servers don’t know this domain',
    meaning: 'Your registrar lists name servers that don’t serve this domain, so nobody can find it.',
    todo: 'At your registrar, enter the name servers of your DNS provider.',
  },
  NoUsableAnswer: {
    ...ofRegistrar,
    definition: 'No name server gave a usable answer.',
    params: ['name'],
    sentence: ({ name }) => `no name server gave a usable answer for ${name}`,
    title: 'Your name servers don’t answer',
    meaning: 'We couldn’t look this domain up, so we don’t know its records.',
    todo: 'Check that the domain hasn’t expired and that your registrar lists the right name servers. We try again automatically.',
  },
  TypeUnanswered: {
    ...ofDnsHost,
    definition:
      'The name servers of the zone answer, but not questions for this type of record, such as CAA: they have to answer that there is none.',
    params: ['name', 'zone', 'types'],
    sentence: ({ name, zone, types }) =>
      `the name servers of ${zone} answer, but not when asked for ${types} records of ${name}`,
    title: 'Your name servers don’t answer one kind of question',
    meaning: 'They answer others, so your domain is fine. But we and the certificate authority need this answer too.',
    todo: 'Show the details below to your DNS provider. We try again automatically.',
  },
  SomeServersSilent: {
    definition: 'Some servers of the zone gave no usable answer; the others decided. A warning.',
    params: ['zone'],
    sentence: ({ zone }) => `some name servers of ${zone} gave no usable answer; the others decided`,
    aboutTarget: false,
    title: 'Some of your name servers don’t answer',
    meaning: 'The others do, so your domain works. If they fail too, visitors can’t find it.',
    todo: 'Ask your DNS provider, or remove these servers at your registrar.',
    step: { kind: null, actor: 'DnsHost' },
  },
  FormerEdge: {
    definition: 'It still leads to an edge of the platform that its project has left, and is served there. A warning.',
    params: ['name'],
    sentence: ({ name }) => `${name} still leads to an address of the platform that its project has left`,
    aboutTarget: false,
    title: 'Your domain still leads to a former address',
    meaning: 'It works there for now. The platform has moved your project to another address.',
    todo: 'Change the address in its record to the one that is shown, unless the record is a CNAME.',
    step: { kind: 'records', actor: 'Owner' },
  },
  StaleHttpsHints: {
    definition:
      'The HTTPS record (type 65) of the hostname names another server than its addresses do, and browsers follow it first. A warning.',
    params: ['name'],
    sentence: ({ name }) => `the HTTPS record of ${name} leads browsers to another server than its addresses do`,
    aboutTarget: false,
    title: 'An HTTPS record leads browsers elsewhere',
    meaning:
      'Some browsers follow this record (type 65) first, so they don’t arrive here although your addresses are right.',
    todo: 'Delete the HTTPS record of this domain at your DNS provider.',
    step: { kind: 'records', actor: 'Owner' },
  },
  VantagePointsDisagree: {
    ...ofDnsHost,
    definition: 'The same check from different places on the Internet has different results.',
    params: ['name'],
    sentence: ({ name }) => `${name} looks different from different places on the Internet`,
    title: 'Your domain has different records in different places',
    meaning: 'We check from several places on the Internet. Different results are normal right after a change.',
    todo: 'Wait an hour. If it stays like this, turn off rules by country at your DNS provider.',
  },
  VantagePointSilent: {
    definition: "The platform's check from another place on the Internet gave no result.",
    params: ['name'],
    sentence: ({ name }) => `the check of ${name} from another place on the Internet gave no result`,
    aboutTarget: false,
    title: 'We’re checking again',
    meaning: 'We check from several places on the Internet, and one of them couldn’t check just now.',
    todo: 'Nothing to do: we check again automatically.',
    symptom: 'verification-keeps-failing',
    step: { kind: null, actor: 'Platform' },
  },
} as const satisfies Readonly<Record<string, VerdictCodeRow>>;
