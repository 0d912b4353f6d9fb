/** Reads docs/security.md as its first paragraph tells people to read it. */

const reference = /\[([a-z0-9][a-z0-9/-]*)\](?![(:])/g;
const definition = /^\[([^\]]+)\]: (\S+)$/;
const runIn = /^\*\*[^*]+\.\*\* /;
const betweenSentences = /(?<=[.!?]\)?) (?=[A-Z*([])/;
const marked = /^\*\*(?:Scope|Limit|Yours)\.\*\* \S/;
const disclaimed = ['*limit*', '*yours*'];

interface Block {
  readonly kind: 'claim' | 'remark' | 'row' | 'head' | 'definition';
  /** in one line, without the marks of a quote or a list */
  readonly text: string;
}

export interface Tests {
  /** every test there is, by its path from the root of the repository */
  readonly all: readonly string[];
  /** those that the page has to name */
  readonly attacks: readonly string[];
}

/** What is wrong with the page, a sentence each; nothing when it names a test for every claim, and claims for every attack. */
export function faultsOf(page: string, { all, attacks }: Tests): readonly string[] {
  const blocks = blocksOf(page);
  const defined = new Map(blocks.flatMap(({ kind, text }) => (kind === 'definition' ? [definedBy(text)] : [])));
  const used = new Set(blocks.flatMap(({ kind, text }) => (kind === 'definition' ? [] : referencesIn(text))));
  const named = new Set([...defined].filter(([label]) => used.has(label)).map(([, path]) => path));
  return [
    ...blocks.flatMap(faultsOfBlock),
    ...[...used].filter((label) => !defined.has(label)).map((label) => `[${label}] is not defined at the end`),
    ...[...defined].flatMap(([label, path]) => faultsOfDefinition(label, path, { used, all })),
    ...attacks.filter((path) => !named.has(path)).map(unnamed),
  ];
}

const labelOf = (path: string): string =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.test\.ts$/, '') ?? path;

const unnamed = (path: string): string =>
  `no claim names ${path}: write [${labelOf(path)}] behind what it shows, and at the end '[${labelOf(path)}]: ../${path}'`;

function faultsOfBlock({ kind, text }: Block): readonly string[] {
  const shown = shortened(text);
  if (kind === 'claim') return sentencesOf(text).filter(isUnheld).map(shortened).map(inASentence);
  if (kind === 'remark' && !marked.test(text))
    return [`a quote begins with neither Scope, Limit nor Yours: '${shown}'`];
  if (kind === 'head' && cellsOf(text).at(-1) !== 'held by') return [`a table does not end with 'held by': '${shown}'`];
  return kind === 'row' && !isHeld(cellsOf(text).at(-1) ?? '') ? [`a row names no test: '${shown}'`] : [];
}

const isUnheld = (sentence: string): boolean => referencesIn(sentence).length === 0;

const inASentence = (sentence: string): string => `a sentence names no test: '${sentence}'`;

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const isHeld = (cell: string): boolean => disclaimed.includes(cell) || referencesIn(cell).length > 0;

function faultsOfDefinition(
  label: string,
  path: string,
  { used, all }: { readonly used: ReadonlySet<string>; readonly all: readonly string[] },
): readonly string[] {
  if (!all.includes(path)) return [`[${label}] is ${path}, which is no test`];
  if (!`/${path}`.endsWith(`/${label}.test.ts`)) return [`[${label}] is not what ${path} ends with`];
  return used.has(label) ? [] : [`[${label}] stands behind no claim`];
}

function definedBy(text: string): readonly [label: string, path: string] {
  const [, label = '', path = ''] = definition.exec(text) ?? [];
  return [label, path.replace(/^\.\.\//, '')];
}

/** Code is a word that may begin a sentence and ends none. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, 'Code');

const referencesIn = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(reference)].map(([, label = '']) => label);

const sentencesOf = (claim: string): readonly string[] => withoutCode(claim.replace(runIn, '')).split(betweenSentences);

const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function blocksOf(page: string): readonly Block[] {
  const text = page.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/^#.*$/gm, '');
  return text.split(/\n\s*\n/).flatMap((block) => read(block.trim()));
}

function read(block: string): readonly Block[] {
  if (block === '') return [];
  if (block.startsWith('|')) return rowsOf(block);
  if (block.startsWith('>')) return [{ kind: 'remark', text: inOneLine(block.replaceAll(/^> ?/gm, '')) }];
  if (definition.test(block.split('\n')[0] ?? ''))
    return block.split('\n').map((text) => ({ kind: 'definition', text }));
  return block.split(/^(?=- )/m).map((item) => ({ kind: 'claim', text: inOneLine(item.replace(/^- /, '')) }));
}

function rowsOf(table: string): readonly Block[] {
  const [head = '', , ...rows] = table.split('\n');
  return [{ kind: 'head', text: head }, ...rows.map((text): Block => ({ kind: 'row', text }))];
}

const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
