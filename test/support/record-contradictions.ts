import type { PageFacts } from './page-facts.ts';
import { presentation } from './view-context.ts';

const { Missing, Found, Wrong } = presentation.words.recordStatus;

type Row = PageFacts['records'][number];

/** What cannot all be true of the records on a page. */
export const recordContradictions = ({ records, recordsTitle, step }: PageFacts): readonly string[] => [
  ...steps(records, step),
  ...numbered(records, step),
  ...titled(records, recordsTitle),
  ...records.flatMap((row) => [...status(row), ...copied(row), ...among(row, records)]),
];

const count = (rows: readonly Row[], act: string): number => rows.filter((row) => row.act === act).length;

/** "Do the 2 steps below": as many as there are numbers in front of rows. */
function* numbered(rows: readonly Row[], step: string) {
  const [, number] = /^Do the (\d+) steps below/.exec(step) ?? [];
  if (number === undefined) return;
  const counted = count(rows, 'add') + count(rows, 'delete');
  if (counted !== Number(number)) yield `"${step}" above ${counted} steps`;
}

/** "Add the record below", "Delete the 2 records below". */
function* steps(rows: readonly Row[], step: string) {
  const [, act, number = '1'] = /^(Add|Delete) the (?:(\d+) records|record) below/.exec(step) ?? [];
  if (act === undefined) return;
  const counted = count(rows, act.toLowerCase());
  if (counted !== Number(number)) yield `"${step}" above ${counted} records`;
  if (rows.some((row) => row.act === 'or')) yield `"${step}" above alternatives, of which not all are added`;
}

/** "Record to add", "Records to keep". */
function* titled(rows: readonly Row[], title: string) {
  if (title === '') return;
  const changes = count(rows, 'add') + count(rows, 'delete');
  const listed = changes > 0 ? changes : count(rows, 'keep');
  if (title.startsWith('Record ') !== (listed === 1)) yield `"${title}" above ${listed} records`;
  if (title.endsWith('to keep') !== (changes === 0)) yield `"${title}" with ${changes} records to change`;
}

function* status({ act, type, fqdn, value, status: told, found }: Row) {
  if (act === 'keep' && told === Missing) yield `${type} ${fqdn} is kept and missing`;
  if (act === 'add' && told === Found) yield `${type} ${fqdn} is to be added and found`;
  if (told === Missing && found.length > 0) yield `${type} ${fqdn} is missing, and is ${found.join(', ')}`;
  if (told === Wrong && found.includes(`${type} ${value}`)) yield `${type} ${fqdn} is wrong, and right`;
}

function* copied({ type, fqdn, name, value, copies }: Row) {
  if (copies.length > 0 && copies.join(' ') !== `${name} ${value}`)
    yield `${type} ${fqdn} shows ${name} ${value} and copies ${copies.join(' ')}`;
  if (fqdn !== name && name !== '@' && !fqdn.startsWith(`${name}.`)) yield `${name} is not short for ${fqdn}`;
}

function* among(row: Row, rows: readonly Row[]) {
  if (row.act === 'delete') return;
  const same = rows.filter(({ type, fqdn }) => type === row.type && fqdn === row.fqdn);
  if (same.some(({ act, value }) => act === 'delete' && value === row.value))
    yield `${row.type} ${row.fqdn} ${row.value} is to be deleted and needed`;
  if (row.type === 'CNAME' && same.some(({ act, value }) => act !== 'delete' && value !== row.value))
    yield `${row.fqdn} has two values`;
}
