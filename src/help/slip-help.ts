import type { DnsCode } from '../rules/verdict-codes.ts';
import type { HelpText } from './state-help.ts';

const symptom = 'verification-keeps-failing';

/** What people and forms make of the records that they are shown, by verdict code. */
export const slipHelp = {
  UrlInValue: {
    title: 'The record’s value is a web address',
    meaning: 'It has https:// in front or a slash behind. A DNS record takes the name alone.',
    todo: 'Change its value to the one shown: no https://, no slash.',
    symptom,
  },
  QuotedValue: {
    title: 'The record’s value has quotation marks or blanks in it',
    meaning: 'They became part of the value, so it leads nowhere.',
    todo: 'Change its value to the one shown, without quotation marks and blanks.',
    symptom,
  },
  ZoneInValue: {
    title: 'Your DNS provider added your domain to the value',
    meaning: 'Some forms do that when a value has no dot at the end.',
    todo: 'Enter the value shown once more, with a dot at its end.',
    symptom,
  },
  MistypedTarget: {
    title: 'The record’s value has a typo',
    meaning: 'It is almost the one shown: some letters differ, or a part is missing or too much.',
    todo: 'Copy the whole value shown into the record.',
    symptom,
  },
  RecordAtOtherName: {
    title: 'The record is at another name',
    meaning: 'There is a record with the right value, but not for this domain.',
    todo: 'Add the record with the name that is shown. Keep the other one if you need it there.',
    symptom,
  },
  TxtQuoted: {
    title: 'The TXT record has quotation marks in it',
    meaning: 'They, or blanks, became part of its value.',
    todo: 'Change its value to the one shown, without quotation marks and blanks.',
    symptom,
  },
  TxtBareToken: {
    title: 'The first part of the TXT record is missing',
    meaning: 'Its value has to begin with projectdomain-verify=.',
    todo: 'Copy the whole value shown into the record.',
    symptom,
  },
  TxtMistyped: {
    title: 'The TXT record has a typo',
    meaning: 'Its value is almost the one shown.',
    todo: 'Copy the whole value shown into the record, and nothing else.',
    symptom,
  },
  TxtAtOtherName: {
    title: 'The TXT record is at another name',
    meaning: 'It has the right value, but its name isn’t the one shown.',
    todo: 'Change its name to the one shown, which begins with an underscore.',
    symptom,
  },
} as const satisfies Readonly<Partial<Record<DnsCode, HelpText>>>;
