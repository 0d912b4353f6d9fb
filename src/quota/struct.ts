/** A record of unsigned integers, big-endian: as the library struct of Redis' Lua packs it. */
export interface Struct<Field extends string> {
  /** bytes */
  readonly length: number;
  read(packed: Buffer, at: number): Record<Field, number>;
  /** Returns where it ends. */
  write(packed: Buffer, at: number, values: Readonly<Record<Field, number>>): number;
}

/** Of these fields, each with its length in bytes, in this order. */
export function struct<Field extends string>(lengths: Readonly<Record<Field, number>>): Struct<Field> {
  const fields = Object.entries(lengths) as [Field, number][];
  return {
    length: fields.reduce((sum, [, length]) => sum + length, 0),
    read(packed, from) {
      const values = {} as Record<Field, number>;
      let at = from;
      for (const [name, length] of fields) {
        values[name] = packed.readUIntBE(at, length);
        at += length;
      }
      return values;
    },
    write: (packed, from, values) =>
      fields.reduce((at, [name, length]) => packed.writeUIntBE(values[name], at, length), from),
  };
}
