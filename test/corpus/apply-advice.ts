import { isWithin } from '../../src/rules/hostname.ts';
import type { DnsIssue, DnsRecordRef } from '../../src/dns/verdict/dns-verdict.ts';
import type { Faults } from '../support/dns-servers/faulty-server.ts';
import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { CorpusZones } from './corpus-zones.ts';
import { addressOfTarget, platformAddresses } from './platform.ts';

export type Changes = Pick<DnsIssue, 'delete' | 'create'>;

/** The zones after somebody did in every form exactly what the lists say. */
export function applyAdvice(zones: CorpusZones, changes: readonly Changes[]): CorpusZones {
  const edited = (files: readonly ZoneFile[]) => changes.reduce(editFiles, files);
  return {
    ...zones,
    knot: edited(zones.knot),
    nsd: edited(zones.nsd),
    faulty: zones.faulty.map((one) => ({ ...one, faults: changes.reduce(editFaults, one.faults) })),
  };
}

/** Each record is changed in the zone that it is in: the lowest one that has its name. */
function editFiles(files: readonly ZoneFile[], changes: Changes): readonly ZoneFile[] {
  const apexes = files.map(({ apex }) => apex);
  const zoneOf = (fqdn: string) =>
    apexes
      .filter((apex) => isWithin(fqdn, apex))
      .reduce((lowest, apex) => (apex.length > lowest.length ? apex : lowest), '');
  const touched = new Set([...changes.delete, ...changes.create].map(({ fqdn }) => zoneOf(fqdn)));
  return files.map((file) => (touched.has(file.apex) ? editFile(file, changes, zoneOf) : file));
}

function editFile({ apex, lines }: ZoneFile, changes: Changes, zoneOf: (fqdn: string) => string): ZoneFile {
  const here = ({ fqdn }: DnsRecordRef) => zoneOf(fqdn) === apex;
  const [deletions, creations] = [changes.delete.filter(here), changes.create.filter(here)];
  const isDeleted = (line: string) => deletions.some((record) => isSame(parse(line, apex), record));
  // Nothing can stand beside a CNAME: a form that accepts it has replaced what was there.
  const isReplaced = (line: string) =>
    creations.some(({ type, fqdn }) => type === 'CNAME' && fqdn === parse(line, apex)?.fqdn);
  const kept = lines.filter((line) => !isDeleted(line) && !isReplaced(line));
  const created = creations.flatMap(linesOf);
  return { apex, lines: [...kept, ...created.filter((line) => !kept.includes(line))] };
}

/** The line as a record; undefined where it is not one that anybody is advised to delete. */
function parse(line: string, apex: string): Record<'fqdn' | 'type' | 'value', string> | undefined {
  const [, owner = '', type = '', data = ''] = /^(\S+)(?:\s+\d+)?\s+([A-Z]+)\s+(.*)$/.exec(line) ?? [];
  const fqdn = absolute(owner, apex);
  if (type === 'TXT')
    return { fqdn, type, value: [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join('') };
  if (type === 'CNAME') return { fqdn, type, value: absolute(data, apex) };
  return ['A', 'AAAA', 'CAA'].includes(type) ? { fqdn, type, value: type === 'CAA' ? caaText(data) : data } : undefined;
}

function absolute(name: string, apex: string): string {
  const lower = name.toLowerCase();
  if (lower === '@') return apex;
  return lower.endsWith('.') ? lower.slice(0, -1) : `${lower}.${apex}`;
}

/** `\# 21 0005…` as `0 issue "…"`. */
function caaText(data: string): string {
  const hex = /^\\#\s+\d+\s+([\dA-Fa-f\s]+)$/.exec(data)?.[1]?.replace(/\s/g, '');
  if (hex === undefined) return data;
  const bytes = Buffer.from(hex, 'hex');
  const end = 2 + (bytes[1] ?? 0);
  return `${bytes[0]} ${bytes.subarray(2, end).toString('latin1')} "${bytes.subarray(end).toString('latin1')}"`;
}

function isSame(found: ReturnType<typeof parse>, { fqdn, type, value }: DnsRecordRef): boolean {
  if (found?.fqdn !== fqdn || found.type !== type) return false;
  return value === '*' || canonical(type, found.value) === canonical(type, value);
}

const canonical = (type: string, value: string): string =>
  type === 'AAAA' ? (URL.parse(`http://[${value}]`)?.hostname ?? value) : value.toLowerCase();

/** Master-file lines; an ALIAS shows what its target resolves to. */
function linesOf({ fqdn, type, value }: DnsRecordRef): readonly string[] {
  if (type === 'ALIAS') {
    const [ipv4, ipv6] = platformAddresses;
    return [`${fqdn}. A ${ipv4}`, `${fqdn}. A ${addressOfTarget}`, `${fqdn}. AAAA ${ipv6}`];
  }
  if (type === 'CNAME') return [`${fqdn}. CNAME ${value}.`];
  return [type === 'TXT' ? `${fqdn}. TXT "${value}"` : `${fqdn}. ${type} ${value}`];
}

/** A scripted answer about a record that was changed ends: from then on the zone answers. */
function editFaults(faults: Faults, changes: Changes): Faults {
  const isChanged = (question: string) =>
    [...changes.delete, ...changes.create].some(
      ({ fqdn, type }) =>
        question === `${fqdn} ${type}` || (['CNAME', 'ALIAS'].includes(type) && question.startsWith(`${fqdn} `)),
    );
  const says = Object.entries(faults.says ?? {}).filter(([question]) => !isChanged(question));
  return { ...faults, says: Object.fromEntries(says) };
}
