import type { Answer, Question } from 'dns-packet';
import type { Zone } from './master-file.ts';

/** What one set of zones says to one question. */
export interface Reply {
  readonly rcode: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
  readonly authoritative: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
}

const within = (name: string, apex: string): boolean => apex === '' || name === apex || name.endsWith(`.${apex}`);

/** The deepest of the zones, by apex, that holds a name. */
export function zoneOf(zones: ReadonlyMap<string, Zone>, name: string): Zone | undefined {
  for (let apex = name; apex !== ''; apex = apex.includes('.') ? apex.slice(apex.indexOf('.') + 1) : '') {
    const zone = zones.get(apex);
    if (zone) return zone;
  }
  return zones.get('');
}

/** One zone's own answer (RFC 1034 section 4.3.2): exact match, else wildcard, else the negative kind. */
export function ask(zone: Zone, { name, type }: Question): Reply {
  const at = zone.records.filter((record) => record.name === name);
  const found = at.length > 0 ? at : wildcard(zone, name);
  const alias = found.filter((record) => record.type === 'CNAME');
  const answers = found.filter((record) => record.type === type);
  if (answers.length > 0) return { rcode: 'NOERROR', authoritative: true, answers, authorities: [] };
  if (alias.length > 0) return { rcode: 'NOERROR', authoritative: true, answers: alias, authorities: [] };
  const exists = found.length > 0 || zone.records.some((record) => record.name.endsWith(`.${name}`));
  const authorities = zone.records.filter((record) => record.type === 'SOA');
  return { rcode: exists ? 'NOERROR' : 'NXDOMAIN', authoritative: true, answers: [], authorities };
}

function wildcard(zone: Zone, name: string): readonly Answer[] {
  const labels = name.split('.');
  for (let cut = 1; cut < labels.length; cut += 1) {
    const parent = labels.slice(cut).join('.');
    if (!within(parent, zone.apex)) return [];
    const star = zone.records.filter((record) => record.name === `*.${parent}`);
    if (star.length > 0) return star.map((record) => ({ ...record, name }));
    if (zone.records.some((record) => record.name === parent)) return [];
  }
  return [];
}

const chainLimit = 12;

/** As a recursive resolver answers: aliases followed through every zone, none of it authoritative. */
export function resolve(zones: ReadonlyMap<string, Zone>, question: Question): Reply {
  const answers: Answer[] = [];
  let { name } = question;
  for (let link = 0; link < chainLimit; link += 1) {
    const zone = zoneOf(zones, name);
    if (!zone) return { rcode: 'NXDOMAIN', authoritative: false, answers, authorities: [] };
    const reply = ask(zone, { ...question, name });
    answers.push(...reply.answers);
    const alias = reply.answers.find((record) => record.type === 'CNAME');
    if (!alias || question.type === 'CNAME') return { ...reply, authoritative: false, answers };
    name = (alias as { data: string }).data;
  }
  return { rcode: 'NOERROR', authoritative: false, answers, authorities: [] };
}
