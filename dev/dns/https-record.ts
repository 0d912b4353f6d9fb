import { SocketAddress, isIPv4, isIPv6 } from 'node:net';
import { readName, unescaped, wireName } from './master-names.ts';

/** HTTPS records (RFC 9460), which dns-packet has no name for. */
export const httpsType = 'UNKNOWN_65';

const keys: Readonly<Record<string, number>> = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
};

/** The data of an HTTPS record: priority (0: AliasMode), name, and parameters such as `ipv4hint=192.0.2.1,192.0.2.2`. Throws for what is none. */
export function httpsData([priority = '', target = '', ...parameters]: readonly string[], origin: string): Buffer {
  if (!/^\d{1,5}$/.test(priority) || target === '')
    throw new Error('an HTTPS record begins with a priority and a name');
  const sorted = parameters.map(parameter).toSorted((one, other) => one.key - other.key);
  if (new Set(sorted.map(({ key }) => key)).size < sorted.length) throw new Error('a parameter stands there twice');
  return Buffer.concat([
    word(Number(priority)),
    wireName(readName(target, origin)),
    ...sorted.flatMap(({ key, value }) => [word(key), word(value.length), value]),
  ]);
}

function word(number: number): Buffer {
  if (number > 65_535) throw new Error(`${number} is too large`);
  return Buffer.from([number >> 8, number & 255]);
}

function parameter(text: string): { readonly key: number; readonly value: Buffer } {
  const [name = '', ...rest] = text.split('=');
  const key = keyOf(name);
  return { key, value: valueOf(key, rest.join('=')) };
}

function keyOf(name: string): number {
  const number = /^key(\d{1,5})$/.exec(name)?.[1];
  const key = number === undefined ? keys[name] : Number(number);
  if (key === undefined) throw new Error(`'${name}' is no parameter of an HTTPS record`);
  return key;
}

function valueOf(key: number, text: string): Buffer {
  const list = text.split(',');
  switch (key) {
    case keys.mandatory:
      return Buffer.concat(list.map((name) => word(keyOf(name))));
    case keys.alpn:
      return Buffer.concat(list.map((id) => Buffer.from([id.length, ...Buffer.from(id)])));
    case keys['no-default-alpn']:
      return Buffer.alloc(0);
    case keys.port:
      return word(Number(text));
    case keys.ipv4hint:
      return Buffer.concat(list.map(bytesOfIPv4));
    case keys.ech:
      return Buffer.from(text, 'base64');
    case keys.ipv6hint:
      return Buffer.concat(list.map(bytesOfIPv6));
    default:
      return unescaped(text);
  }
}

function bytesOfIPv4(address: string): Buffer {
  if (!isIPv4(address)) throw new Error(`'${address}' is no IPv4 address`);
  return Buffer.from(address.split('.').map(Number));
}

function bytesOfIPv6(text: string): Buffer {
  if (!isIPv6(text)) throw new Error(`'${text}' is no IPv6 address`);
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const [before = '', after] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.concat([...head, ...zeros, ...tail].map((group) => word(parseInt(group, 16))));
}
