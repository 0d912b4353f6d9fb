import type { certificate, routed } from './reasons.ts';
import type { Words } from './symptoms.ts';

const symptom = 'no-certificate';

/** The certificate, without which browsers do not trust a domain. */
export const certificateWords: Readonly<Record<Exclude<keyof typeof certificate, 'Waiting'>, Words>> = {
  Issued: {
    title: 'Certificate issued',
    meaning: 'Browsers trust this domain. The certificate is renewed by itself.',
    todo: 'Nothing to do: the last step begins by itself.',
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
    todo: 'Keep the records shown and delete any others for this name. It is tried again by itself.',
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
    todo: 'Ask the company that manages your DNS whether its servers answer CAA questions. It is tried again by itself.',
    symptom,
  },
  IssuanceLimited: {
    title: 'The next certificate must wait',
    meaning: 'Too many attempts for this domain failed within an hour, and the certificate authority asks for a pause.',
    todo: 'Check that the records are as shown. The next attempt is made by itself when the pause is over.',
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
export const routedWords: Readonly<Record<Exclude<keyof typeof routed, 'Waiting' | 'Withdrawn'>, Words>> = {
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
