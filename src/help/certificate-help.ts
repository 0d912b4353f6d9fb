import type { certificateReasons, routedReasons } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const symptom = 'no-certificate';

/** The certificate, without which browsers do not trust a domain. */
export const certificateHelp: Readonly<Record<Exclude<keyof typeof certificateReasons, 'Waiting'>, HelpText>> = {
  Issued: {
    title: 'Certificate issued',
    meaning: 'Browsers trust this domain. The certificate is renewed automatically.',
    todo: 'Nothing to do: the last step begins automatically.',
    symptom: null,
  },
  Issuing: {
    title: 'Certificate is being made',
    meaning: 'DNS is right, and the certificate has been ordered. It usually comes within a few minutes.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  IssuanceFailed: {
    title: 'The certificate was refused',
    meaning: 'The certificate authority could not confirm the domain, mostly because it saw older or other records.',
    todo: 'Keep the records shown and delete any others for this name. We try again automatically.',
    symptom,
  },
  IssuanceOverdue: {
    title: 'The certificate is late',
    meaning: 'Half an hour went by without a certificate.',
    todo: 'Verify again: the records are looked at again and a fresh attempt is made.',
    symptom,
  },
  CAAForbids: {
    title: 'A CAA record forbids the certificate',
    meaning: 'CAA records list who may issue certificates for your domain, and our authority is not on the list.',
    todo: 'Add the CAA record shown beside those you have; then verify again.',
    symptom,
  },
  CAAUnknown: {
    title: 'CAA records cannot be read',
    meaning:
      'Before a certificate is ordered, your name servers are asked who may issue it. They gave no usable answer.',
    todo: 'Ask the company that manages your DNS whether its servers answer CAA questions. We try again automatically.',
    symptom,
  },
  DNSWrongNow: {
    title: 'The records are wrong right now',
    meaning: 'A certificate is only ordered while DNS leads here, and the last look found other records.',
    todo: 'Create the records shown and delete any others for this name; then verify again.',
    symptom,
  },
  DNSUnknownNow: {
    title: 'Your name servers do not answer',
    meaning: 'A certificate is only ordered while DNS leads here, and the last look could not tell.',
    todo: 'Ask the company that manages your DNS whether its servers answer. It is tried again automatically.',
    symptom,
  },
  NotCorroborated: {
    title: 'Only one name server answered',
    meaning: 'Before a certificate is ordered, two of your name servers must say the same.',
    todo: 'Ask the company that manages your DNS why the others do not answer. It is tried again automatically.',
    symptom,
  },
  RequestMismatch: {
    title: 'The certificate request is not ours',
    meaning: 'Somebody changed the Certificate, or made a request of their own beside it. It is not approved.',
    todo: 'Tell the platform, with the message shown.',
    symptom,
  },
  LedgerNameFull: {
    title: 'The next certificate must wait',
    meaning: 'This domain has had as many certificates in a week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is ordered automatically when the pause is over. Do not delete its Secret.',
    symptom,
  },
  LedgerDomainFull: {
    title: 'The next certificate must wait',
    meaning: 'The domains below yours have had as many certificates in a week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is ordered automatically when the pause is over.',
    symptom,
  },
  LedgerIssuerFull: {
    title: 'The certificate waits for its turn',
    meaning: 'The certificate authority allows a number of certificates in a few hours, and all of them are used.',
    todo: 'Nothing to do: yours is ordered automatically when it is its turn.',
    symptom,
  },
  LedgerShareUsed: {
    title: 'The certificate waits for its turn',
    meaning: 'Your account has used its share of the certificates that can be ordered in a few hours.',
    todo: 'Nothing to do: the next ones are ordered automatically. Domains whose records are right go fastest.',
    symptom,
  },
  AuthoritySaysWait: {
    title: 'The certificate authority asks for a pause',
    meaning: 'The certificate authority itself said when it takes the next order.',
    todo: 'Nothing to do: it is ordered automatically when the pause is over.',
    symptom,
  },
  IssuanceLimited: {
    title: 'The next certificate must wait',
    meaning: 'Too many attempts for this domain failed, and the next one waits longer after each failure.',
    todo: 'Check that the records are as shown. We try again automatically when the pause is over.',
    symptom,
  },
  Withdrawn: {
    title: 'No longer served',
    meaning: 'The domain was taken off the platform, and its certificate is no longer renewed.',
    todo: 'Mend what the message names, then verify again: the domain comes back as it was.',
    symptom: 'connection-not-private',
  },
};

/** The last step: the domain answers. */
export const routedHelp: Readonly<Record<Exclude<keyof typeof routedReasons, 'Waiting' | 'Withdrawn'>, HelpText>> = {
  Routed: {
    title: 'Live',
    meaning: 'The domain answers with its own certificate.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  NotAnswering: {
    title: 'Almost there',
    meaning: 'The certificate is there, but the domain does not answer with it yet. That usually takes a few seconds.',
    todo: 'Nothing to do: it is tried every second. If it lasts longer than ten minutes, tell the platform.',
    symptom: 'connection-not-private',
  },
};
