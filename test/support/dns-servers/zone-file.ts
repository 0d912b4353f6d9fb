/** A zone as its owner writes it: the apex without the trailing dot (the root is '') and lines of a master file below it. */
export interface ZoneFile {
  readonly apex: string;
  readonly lines: readonly string[];
  /** the lines are the whole zone, with SOA and full names */
  readonly isWhole?: true;
}

/** The text of a master file (RFC 1035 section 5): names without a trailing dot are relative to the apex. */
export function zoneText({ apex, lines, isWhole }: ZoneFile): string {
  if (isWhole) return [...lines, ''].join('\n');
  const soa = '@ SOA primary.invalid. hostmaster.invalid. 1 3600 600 86400 60';
  return [`$ORIGIN ${apex}.`, '$TTL 60', soa, ...lines, ''].join('\n');
}

/** File name for a zone's master file. */
export const zoneFileName = (apex: string): string => `${apex === '' ? 'root' : apex}.zone`;
