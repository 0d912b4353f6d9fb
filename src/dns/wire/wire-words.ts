/** Numbers of 16 bits each, as most fields of a message are (RFC 1035, section 4.1). */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}
