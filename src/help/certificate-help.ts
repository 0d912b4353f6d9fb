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
    meaning: 'The certificate authority could not confirm the domain, usually because it saw older or other records.',
    todo: 'Keep the records shown and delete any others for this name. We try again automatically.',
    symptom,
  },
  IssuanceOverdue: {
    title: 'The certificate is late',
    meaning: 'The certificate has not been issued within half an hour.',
    todo: 'Verify again: the records are checked again and a new attempt is made.',
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
    todo: 'Ask the company that manages your DNS whether its servers answer CAA queries. We try again automatically.',
    symptom,
  },
  DNSWrongNow: {
    title: 'The records are wrong right now',
    meaning: 'A certificate is only ordered while DNS points here, and the last check found other records.',
    todo: 'Create the records shown and delete any others for this name; then verify again.',
    symptom,
  },
  DNSUnknownNow: {
    title: 'Your name servers do not answer',
    meaning: 'A certificate is only ordered while DNS points here, and the last check was inconclusive.',
    todo: 'Ask the company that manages your DNS whether its servers answer. We try again automatically.',
    symptom,
  },
  DNSSECBroken: {
    title: 'DNSSEC forbids the certificate',
    meaning: 'Your domain is signed (DNSSEC), but the signatures do not hold, so no authority may issue a certificate.',
    todo: 'At your registrar, replace the DS record by the one that the company that manages your DNS shows, or delete it.',
    symptom,
  },
  NotCorroborated: {
    title: 'Only one name server answered',
    meaning: 'Before a certificate is ordered, two of your name servers must give the same answer.',
    todo: 'Ask the company that manages your DNS why the others do not answer. We try again automatically.',
    symptom,
  },
  RequestMismatch: {
    title: 'The certificate request is not ours',
    meaning: 'Somebody changed the Certificate, or created another request for it. The request is not approved.',
    todo: 'Contact the platform and quote the message shown.',
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
    meaning:
      'The certificate authority allows a limited number of certificates every few hours, and all of them have been used.',
    todo: 'Nothing to do: yours is ordered automatically when it is its turn.',
    symptom,
  },
  LedgerShareUsed: {
    title: 'The certificate waits for its turn',
    meaning: 'Your account has used its share of the certificates that can be ordered every few hours.',
    todo: 'Nothing to do: the next ones are ordered automatically. Domains whose records are right go fastest.',
    symptom,
  },
  AuthoritySaysWait: {
    title: 'The certificate authority asks for a pause',
    meaning: 'The certificate authority said when it will accept the next order.',
    todo: 'Nothing to do: it is ordered automatically when the pause is over.',
    symptom,
  },
  IssuanceLimited: {
    title: 'The next certificate must wait',
    meaning: 'Too many attempts for this domain failed, and the wait grows with each failure.',
    todo: 'Check that the records are as shown. We try again automatically when the pause is over.',
    symptom,
  },
  Withdrawn: {
    title: 'No longer served',
    meaning: 'The platform stopped serving the domain, and its certificate is no longer renewed.',
    todo: 'Fix what the message names, then verify again: the domain comes back as it was.',
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
    todo: 'Nothing to do: it is tried every second. If it takes longer than ten minutes, tell the platform.',
    symptom: 'connection-not-private',
  },
};
