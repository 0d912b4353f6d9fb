interface Bits {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A CIDR range: the network's bits, and how many of the last bits are free. */
export interface IpRange extends Bits {
  readonly free: bigint;
}

const widths = { 4: 32, 6: 128 } as const;

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address. Throws an Error for anything else. */
export function parseIpRange(text: string): IpRange {
  const [network = '', prefix] = text.split('/');
  const bits = bitsOf(network);
  const length = bits && (prefix === undefined ? widths[bits.family] : Number(prefix));
  if (!bits || length === null || !Number.isInteger(length) || length < 0 || length > widths[bits.family])
    throw new Error(`'${text}' is neither an address nor a CIDR range`);
  return Object.freeze({ ...bits, free: BigInt(widths[bits.family] - length) });
}

/** Is the address in one of the ranges? False for a text that is no address. */
export function isInRanges(address: string, ranges: readonly IpRange[]): boolean {
  const bits = bitsOf(address);
  return ranges.some(({ family, value, free }) => bits?.family === family && bits.value >> free === value >> free);
}

/** Who has one IPv6 address usually has its whole /64, so that stands for it; IPv4 addresses stand for themselves. */
export function networkOf(address: string): string {
  const bits = bitsOf(address);
  return bits?.family === 6 ? `${(bits.value >> 64n).toString(16)}::/64` : address;
}

function bitsOf(address: string): Bits | null {
  return address.includes(':') ? bitsOfV6(address) : bitsOfV4(address);
}

function bitsOfV4(address: string): Bits | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return { family: 4, value: joined(parts.map(Number), 8n) };
}

/** Hexadecimal groups, of which one run of zeros may be `::` (RFC 4291 section 2.2, forms 1 and 2). */
function bitsOfV6(address: string): Bits | null {
  const [head = '', tail, ...more] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (more.length > 0 || (tail === undefined ? missing !== 0 : missing < 1)) return null;
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return {
    family: 6,
    value: joined(
      groups.map((group) => Number.parseInt(group, 16)),
      16n,
    ),
  };
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));

const joined = (parts: readonly number[], width: bigint): bigint =>
  parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
