/** A record as a DNS host's form has it: the name relative to the zone, `@` for the zone itself, no full stops at ends. */
export interface FormRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** The forms of a DNS host, which hold customers to the rules of DNS as real ones do. */
export interface DnsForm {
  /** A zone with these records, each `name type value`. */
  open(zone: string, lines: readonly string[]): Promise<void>;
  /** Rejects where DNS allows no such record (RFC 1034 section 3.6.2), or the form has no such type. */
  create(zone: string, record: FormRecord): Promise<void>;
  /** `*` as the value: every record of the type. What is not there is not deleted. */
  remove(zone: string, record: FormRecord): Promise<void>;
  has(zone: string, record: FormRecord): boolean;
}

export interface DnsFormOptions {
  readonly putZone: (zone: string, text: string) => Promise<void>;
  /** what the target of an ALIAS resolves to */
  readonly resolve: (target: string) => string;
  /** zones of a host whose form has neither ALIAS nor ANAME */
  readonly withoutAlias: readonly string[];
}

export function createDnsForm({ putZone, resolve, withoutAlias }: DnsFormOptions): DnsForm {
  const zones = new Map<string, readonly FormRecord[]>();
  const recordsOf = (zone: string) => zones.get(zone) ?? [];
  const publish = async (zone: string, records: readonly FormRecord[]) => {
    zones.set(zone, records);
    await putZone(zone, records.map((record) => masterLine(record, resolve)).join('\n'));
  };
  return {
    open: (zone, lines) => publish(zone, lines.map(parse)),
    async create(zone, entered) {
      const record = { ...entered, type: typeOf(entered.type) };
      if (record.type === 'ALIAS' && withoutAlias.includes(zone)) throw new Error(`${zone}: this form has no ALIAS`);
      const records = recordsOf(zone);
      const beside = records.filter(({ name }) => name === record.name).filter(clashes(record));
      if (record.type === 'CNAME' && record.name === '@') throw new Error(`${zone}: no CNAME at the domain itself`);
      if (beside.length > 0)
        throw new Error(`${zone}: ${told(record)} cannot be beside ${beside.map(told).join(' and ')}`);
      if (!records.some(same(record))) await publish(zone, [...records, record]);
    },
    async remove(zone, record) {
      const gone = record.value === '*' ? sameSet(record) : same(record);
      await publish(
        zone,
        recordsOf(zone).filter((one) => !gone(one)),
      );
    },
    has: (zone, { value, type, name }) =>
      recordsOf(zone).some(value === '*' ? sameSet({ type, name, value }) : same({ type: typeOf(type), name, value })),
  };
}

const typeOf = (label: string): string => (label.startsWith('ALIAS') ? 'ALIAS' : label);

/** A CNAME stands alone, and an ALIAS takes the place of addresses. */
const clashes =
  ({ type }: FormRecord) =>
  (other: FormRecord): boolean =>
    type === 'CNAME' || other.type === 'CNAME' || (type === 'ALIAS' && ['A', 'AAAA', 'ALIAS'].includes(other.type));

const told = ({ type, name, value }: FormRecord): string => `${type} ${name} ${value}`;
const key = ({ type, name, value }: FormRecord): string => `${type} ${name} ${canonical(type, value)}`.toLowerCase();
const same = (one: FormRecord) => (other: FormRecord) => key(one) === key(other);
const sameSet = (one: FormRecord) => (other: FormRecord) => one.type === other.type && one.name === other.name;

const canonical = (type: string, value: string): string =>
  type === 'AAAA' ? (URL.parse(`http://[${value}]`)?.hostname ?? value) : value;

function parse(line: string): FormRecord {
  const [, name = '', type = '', value = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
  return { name, type, value };
}

function masterLine({ type, name, value }: FormRecord, resolve: (target: string) => string): string {
  if (type === 'ALIAS') return `${name} A ${resolve(value)}`;
  if (type === 'TXT') return `${name} TXT "${value}"`;
  return `${name} ${type} ${value}${type === 'CNAME' || type === 'MX' ? '.' : ''}`;
}
