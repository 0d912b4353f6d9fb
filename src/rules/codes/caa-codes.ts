import type { VerdictCodeRow } from './code-rows.ts';

const changeCaa = { symptom: 'no-certificate', step: { kind: 'caa', actor: 'Owner' } } as const;

/** What is said to customers, of the records and of the certificate that waits for them. */
export const forbiddenByCaa = {
  ...changeCaa,
  title: 'A CAA record blocks your certificate',
  meaning: 'CAA records list who may issue certificates for your domain; our certificate authority isn’t listed.',
  todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
} as const satisfies Partial<VerdictCodeRow>;

/** CAA records, which say which authorities may issue certificates for a domain (RFC 8659). */
export const caaCodes = {
  CaaForbidsAuthority: {
    ...forbiddenByCaa,
    definition: 'The CAA records name other certificate authorities (RFC 8659).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) => `the CAA records of ${name} do not allow ${authority} to issue a certificate`,
    aboutTarget: false,
  },
  CaaForbidsAccount: {
    ...changeCaa,
    definition: 'The CAA record requires another ACME account (RFC 8657, `accounturi`).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) => `the CAA records of ${name} allow ${authority} only for another ACME account`,
    aboutTarget: false,
    title: 'A CAA record names another account',
    meaning: 'It allows our certificate authority, but only for another account there (accounturi).',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
  },
  CaaForbidsMethod: {
    ...changeCaa,
    definition: 'The CAA record requires another validation method (RFC 8657, `validationmethods`).',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) =>
      `the CAA records of ${name} allow ${authority} only with another validation method`,
    aboutTarget: false,
    title: 'A CAA record requires another method',
    meaning: 'It allows our certificate authority, but only with another method (validationmethods).',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
  },
  CaaMalformed: {
    ...changeCaa,
    definition: 'A CAA `issue` property is malformed and so permits nobody (RFC 8659 section 4.2).',
    params: ['name'],
    sentence: ({ name }) => `a CAA record of ${name} is malformed, so nobody may issue a certificate`,
    aboutTarget: false,
    title: 'A CAA record contains a mistake',
    meaning: 'A CAA record that can’t be read allows nobody to issue a certificate.',
    todo: 'Delete the record listed and add the one shown. Then select Re-verify.',
  },
  CaaCriticalUnknown: {
    ...changeCaa,
    definition: 'A CAA property that is marked critical is unknown (RFC 8659 section 4.1).',
    params: ['name'],
    sentence: ({ name }) => `a CAA record of ${name} has an unknown property that is marked critical`,
    aboutTarget: false,
    title: 'A CAA record requires something unknown',
    meaning: 'It is marked as critical, and we don’t know what it means, so we can’t get a certificate.',
    todo: 'Delete the record listed and add the one shown. Then select Re-verify.',
  },
} as const satisfies Readonly<Record<string, VerdictCodeRow>>;
