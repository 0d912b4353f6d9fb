import type { Answer } from 'dns-packet';
import { httpsData, httpsType } from './https-record.ts';
import { hasInnerDot, mailbox, readName, unescaped } from './master-names.ts';

/** A zone as the authority serves it. Names are lower case without the trailing dot; the root is ''. */
export interface Zone {
  readonly apex: string;
  readonly records: readonly Answer[];
}

/** A mistake in master-file text; the message names the line. */
class MasterFileError extends Error {
  override readonly name = 'MasterFileError';
}

const defaultTtl = 60;

/** The one that serves all zones. */
export const nameServer = 'ns1.dns.invalid';

/**
 * Reads RFC 1035 section 5 text: $ORIGIN, $TTL, @, relative names, inherited owners, parentheses, comments, quoted
 * strings, escapes; types A, AAAA, CNAME, NS, SOA, TXT, CAA, MX, HTTPS. A missing SOA or NS is added, so that a zone of one line works.
 */
export function parseZone(apex: string, text: string): Zone {
  const state = { origin: apex, ttl: defaultTtl, owner: apex };
  const records = logicalLines(text).flatMap(({ tokens, line, indented }) => {
    try {
      return readLine(state, tokens, indented);
    } catch (error) {
      throw new MasterFileError(`line ${line}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  const outside = records.find(
    (record) => record.name !== apex && !record.name.endsWith(apex === '' ? '' : `.${apex}`),
  );
  if (outside) throw new MasterFileError(`${outside.name} lies outside zone ${apex}`);
  return { apex, records: [...missing(apex, records), ...records] };
}

function missing(apex: string, records: readonly Answer[]): readonly Answer[] {
  const has = (type: string) => records.some((record) => record.type === type && record.name === apex);
  const soa: Answer = {
    type: 'SOA',
    name: apex,
    ttl: defaultTtl,
    data: soaData(`ns.${apex}`, `hostmaster.${apex}`, [1, 60, 60, 3600, 5]),
  };
  const ns: Answer = { type: 'NS', name: apex, ttl: defaultTtl, data: nameServer };
  return [...(has('SOA') ? [] : [soa]), ...(has('NS') ? [] : [ns])];
}

function soaData(
  mname: string,
  rname: string,
  [serial = 1, refresh = 60, retry = 60, expire = 3600, minimum = 5]: readonly number[],
) {
  return { mname, rname, serial, refresh, retry, expire, minimum };
}

interface LogicalLine {
  readonly tokens: readonly Token[];
  readonly line: number;
  readonly indented: boolean;
}

interface Token {
  /** with its escapes */
  readonly text: string;
  readonly quoted: boolean;
}

function logicalLines(text: string): readonly LogicalLine[] {
  const found: LogicalLine[] = [];
  let open: { tokens: Token[]; line: number; indented: boolean } | null = null;
  let depth = 0;
  text.split(/\r?\n/).forEach((raw, index) => {
    const current: { tokens: Token[]; line: number; indented: boolean } = open ?? {
      tokens: [],
      line: index + 1,
      indented: /^\s/.test(raw),
    };
    for (const token of tokenize(raw, index + 1)) {
      if (!token.quoted && token.text === '(') depth += 1;
      else if (!token.quoted && token.text === ')') depth -= 1;
      else current.tokens.push(token);
    }
    open = depth > 0 ? current : null;
    if (depth === 0 && current.tokens.length > 0) found.push(current);
  });
  if (depth !== 0) throw new MasterFileError('parentheses do not match');
  return found;
}

function tokenize(line: string, number: number): readonly Token[] {
  const tokens: Token[] = [];
  // Of an HTTPS record a value may be quoted: alpn="h2,h3".
  const pattern = /\s+|;.*$|([a-z0-9-]+=)?"((?:[^"\\]|\\.)*)"|([()])|((?:[^\s;"()\\]|\\.)+)/gy;
  while (pattern.lastIndex < line.length) {
    const match = pattern.exec(line);
    if (!match) throw new MasterFileError(`line ${number}: a quote is not closed, or an escape`);
    const [, key = '', quoted, bracket, word] = match;
    if (quoted !== undefined) tokens.push({ text: key + quoted, quoted: true });
    else if (bracket ?? word) tokens.push({ text: bracket ?? word ?? '', quoted: false });
  }
  return tokens;
}

interface State {
  origin: string;
  ttl: number;
  owner: string;
}

function readLine(state: State, tokens: readonly Token[], indented: boolean): readonly Answer[] {
  const [first, second] = tokens;
  if (first?.text === '$ORIGIN') state.origin = ownerOf(second?.text ?? '', state.origin);
  else if (first?.text === '$TTL') state.ttl = seconds(second?.text ?? '');
  else return [readRecord(state, tokens, indented)];
  return [];
}

function readRecord(state: State, tokens: readonly Token[], indented: boolean): Answer {
  const rest = [...tokens];
  if (!indented) state.owner = ownerOf(rest.shift()?.text ?? '', state.origin);
  let { ttl } = state;
  while (rest[0] && (/^\d+[smhdw]?$/i.test(rest[0].text) || rest[0].text.toUpperCase() === 'IN')) {
    const { text } = rest.shift() ?? { text: '' };
    if (text.toUpperCase() !== 'IN') ttl = seconds(text);
  }
  const type = rest.shift()?.text.toUpperCase() ?? '';
  const read = readers[type];
  if (!read) throw new Error(`type '${type}' is not served here`);
  return {
    name: state.owner,
    ttl,
    type: wireType(type),
    data: read(
      rest.map(({ text }) => text),
      state.origin,
    ),
  } as Answer;
}

/** As dns-packet names a type. */
const wireType = (type: string): string => (type === 'HTTPS' ? httpsType : type);

const need = (fields: readonly string[], index: number): string => {
  const field = fields[index];
  if (field === undefined) throw new Error('the record is too short');
  return field;
};

const readers: Readonly<Record<string, (fields: readonly string[], origin: string) => unknown>> = {
  A: (fields) => address(need(fields, 0), /^\d{1,3}(\.\d{1,3}){3}$/),
  AAAA: (fields) => address(need(fields, 0), /^[0-9a-f:.]+$/i),
  CNAME: (fields, origin) => readName(need(fields, 0), origin),
  NS: (fields, origin) => readName(need(fields, 0), origin),
  TXT: (fields) => [need(fields, 0), ...fields.slice(1)].map(unescaped),
  MX: (fields, origin) => ({ preference: Number(need(fields, 0)), exchange: readName(need(fields, 1), origin) }),
  CAA: (fields) => ({
    flags: Number(need(fields, 0)),
    tag: need(fields, 1),
    value: unescaped(need(fields, 2)).toString(),
    issuerCritical: (Number(fields[0]) & 128) !== 0,
  }),
  DS: (fields) => ({
    keyTag: Number(need(fields, 0)),
    algorithm: Number(need(fields, 1)),
    digestType: Number(need(fields, 2)),
    digest: Buffer.from(need(fields, 3), 'hex'),
  }),
  HTTPS: httpsData,
  SOA: (fields, origin) =>
    soaData(readName(need(fields, 0), origin), mailbox(need(fields, 1), origin), fields.slice(2).map(seconds)),
};

function address(text: string, shape: RegExp): string {
  if (!shape.test(text)) throw new Error(`'${text}' is no address`);
  return text;
}

function ownerOf(text: string, origin: string): string {
  const name = readName(text, origin);
  if (hasInnerDot(name)) throw new Error(`'${text}' has a dot inside of a label, and such names are not served here`);
  return name;
}

function seconds(text: string): number {
  const match = /^(\d+)([smhdw]?)$/i.exec(text);
  if (!match) throw new Error(`'${text}' is no time`);
  const unit = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }[(match[2] ?? '').toLowerCase()] ?? 1;
  return Number(match[1]) * unit;
}
