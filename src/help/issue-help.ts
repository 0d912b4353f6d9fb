import type { ActRecord, IssueActor } from '../rules/issue-acts.ts';
import type { RecordStatus } from '../rules/desired-records.ts';
import type { FormLabels } from './dns-host-advice.ts';
import { unknownLabels } from './dns-host-advice.ts';

/** Who has to act, for somebody who has never heard of DNS. */
export const actorWords: Readonly<Record<IssueActor, string>> = {
  Owner: 'You, at your DNS provider',
  DnsHost: 'Your DNS provider',
  Registrar: 'You, at your registrar',
  Cdn: 'You, in the settings of your CDN or proxy',
  Platform: 'Us: there is nothing for you to do',
};

/** What was found of a record, in a word or two. */
export const recordStatusWords: Readonly<Record<RecordStatus, string>> = {
  Found: 'Found',
  Missing: 'Missing',
  Wrong: 'Different value',
  Stale: 'Not on all servers yet',
  Conflicting: 'Blocked by another record',
  Unknown: 'Not checked yet',
};

interface FormField {
  readonly label: string;
  readonly value: string;
}

/** A record as the form of a DNS host has it, in the host's own words where they are known. */
export function formFields({ name, type, value }: ActRecord, labels: FormLabels = unknownLabels): readonly FormField[] {
  return [
    { label: 'Type', value: type === 'ALIAS' ? 'ALIAS or ANAME' : type },
    { label: labels.name ?? 'Name', value: name },
    {
      label: type === 'CNAME' ? (labels.value ?? 'Value') : 'Value',
      value: value === '*' ? 'any: all of this type' : value,
    },
  ];
}
