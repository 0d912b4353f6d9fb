import { keyNameForm } from './api-key-format.ts';

/** What a platform calls a domain, by names of its own, as crds/project-domain.yaml has it. */
export type DomainLabels = Readonly<Record<string, string>>;

/** Labels as they are to be; null takes one away (RFC 7396). Those that are not named stay. */
export type LabelChange = Readonly<Record<string, string | null>>;

export const labelNameForm = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;
/** Visible characters. */
export const labelValueForm = keyNameForm;
export const labelValueMaximum = 255;
export const labelsMaximum = 20;
/** Of the names and values of all labels together: caches keep them for each domain. */
export const labelCharactersMaximum = 2_048;

/** The labels after a change; undefined when none is left. */
export function changedLabels(before: DomainLabels, change: LabelChange): DomainLabels | undefined {
  const left = Object.entries<string | null>({ ...before, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Whether a domain may have so many labels, of so many characters. */
export function isRoomFor(labels: DomainLabels): boolean {
  const entries = Object.entries(labels);
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + [...value].length, 0);
  return entries.length <= labelsMaximum && characters <= labelCharactersMaximum;
}
