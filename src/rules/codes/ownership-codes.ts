import type { VerdictCodeRow } from './code-rows.ts';
import { changeRecords } from './code-rows.ts';

const wrongProof = { ...changeRecords, aboutTarget: true } as const;

/** The record that proves whose the hostname is, and the one by which it is prepared before its switch. */
export const ownershipCodes = {
  TxtQuoted: {
    ...wrongProof,
    definition: 'The ownership TXT record has quotation marks or blanks as part of its text.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} has quotation marks or blanks as part of its text`,
    title: 'The TXT record has quotation marks in it',
    meaning: 'They, or blanks, became part of its value.',
    todo: 'Change its value to the one shown, without quotation marks and blanks.',
  },
  TxtBareToken: {
    ...wrongProof,
    definition: 'The ownership TXT record has only what comes after `projectdomain-verify=`.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} lacks projectdomain-verify= in front`,
    title: 'The first part of the TXT record is missing',
    meaning: 'Its value has to begin with projectdomain-verify=.',
    todo: 'Copy the whole value shown into the record.',
  },
  TxtMistyped: {
    ...wrongProof,
    definition: 'The ownership TXT record has almost the right text: letters differ, or something else is in it too.',
    params: ['name'],
    sentence: ({ name }) => `the text of the ownership record at ${name} is almost the right one`,
    title: 'The TXT record has a typo',
    meaning: 'Its value is almost the one shown.',
    todo: 'Copy the whole value shown into the record, and nothing else.',
  },
  TxtAtOtherName: {
    ...wrongProof,
    definition: 'The ownership TXT record is at another name than the one shown.',
    params: ['name', 'elsewhere'],
    sentence: ({ name, elsewhere }) => `the ownership record is at ${elsewhere} instead of ${name}`,
    title: 'The TXT record is at another name',
    meaning: 'It has the right value, but its name isn’t the one shown.',
    todo: 'Change its name to the one shown, which begins with an underscore.',
  },
  TxtMissing: {
    ...wrongProof,
    definition: 'No ownership TXT record exists.',
    params: ['name'],
    sentence: ({ name }) => `no ownership record exists at ${name}`,
    title: 'We can’t see your TXT record yet',
    meaning: 'This domain needs a TXT record to prove that it’s yours.',
    todo: 'Add the TXT record shown. Its name begins with an underscore.',
  },
  NotByCname: {
    ...changeRecords,
    definition: 'It leads here by addresses that many share; its CNAME in their place proves it without a TXT record.',
    params: ['name'],
    sentence: ({ name }) => `${name} leads here by addresses that many share, which do not prove whose it is`,
    aboutTarget: false,
    title: 'Your domain leads here, but not by its CNAME',
    meaning: 'What stands there reaches us, but only the CNAME shows that the domain is yours.',
    todo: 'Delete the records listed, then add the CNAME record shown.',
  },
  TxtWrong: {
    ...wrongProof,
    definition: 'There is an ownership TXT record with the wrong value.',
    params: ['name'],
    sentence: ({ name }) => `the ownership record at ${name} has the wrong value`,
    title: 'The TXT record has a different value',
    meaning: 'Its value isn’t the one for this domain and your account.',
    todo: 'Change its value to the one shown.',
  },
  HostnameTooLongForTxt: {
    definition: 'The hostname is so long that no name for an ownership record fits below it.',
    params: ['name'],
    sentence: ({ name }) => `${name} is so long that no name for an ownership record fits below it`,
    aboutTarget: true,
    title: 'The domain is too long for a TXT record',
    meaning: 'There is no room for the name of an ownership record.',
    todo: 'Add the CNAME record shown, which usually proves ownership on its own; or use a shorter domain.',
    symptom: 'verification-keeps-failing',
    step: { kind: 'remove', actor: 'Owner' },
  },
  DelegationMissing: {
    ...wrongProof,
    definition:
      'The hostname is to be prepared before it is switched, and the record that delegates its challenge name does not exist.',
    params: ['name'],
    sentence: ({ name }) => `no record at ${name} lets the platform prepare the certificate`,
    title: 'We can’t see the record that prepares your domain yet',
    meaning: 'It lets us get the certificate while your domain still points to your present host.',
    todo: 'Add the CNAME record shown. Its name begins with an underscore. Leave your other records as they are.',
  },
  DelegationWrong: {
    ...wrongProof,
    definition:
      'The challenge name is delegated to the platform, but to another name than this domain has: an older record, or that of another one.',
    params: ['name'],
    sentence: ({ name }) => `the record at ${name} belongs to another domain here, or is out of date`,
    title: 'The preparing record has a different value',
    meaning: 'It belongs to another domain, or to an earlier time when you added this one.',
    todo: 'Change its value to the one shown.',
  },
  ChallengeNameInUse: {
    ...wrongProof,
    definition:
      'Somebody else answers certificate challenges at the challenge name, usually the present host for its own renewals.',
    params: ['name'],
    sentence: ({ name }) => `the present host answers certificate challenges at ${name}`,
    title: 'Your present host uses the name that we need',
    meaning: 'It renews its own certificate with a record there, which would stop if you replaced it.',
    todo: 'Leave that record and switch without preparing: add the other record shown when you are ready.',
  },
} as const satisfies Readonly<Record<string, VerdictCodeRow>>;
