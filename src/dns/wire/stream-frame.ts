/** A message as it is sent over TCP, its length before it (RFC 1035, section 4.2.2). */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Assembles a DNS message from a TCP stream (RFC 1035 section 4.2.2), in one buffer of the announced length. */
export function createFrame(admits: (length: number) => boolean) {
  const prefix: number[] = [];
  let body: Buffer | null = null;
  let filled = 0;
  return {
    /** Adds a chunk. Returns the message once it is complete, null before. */
    take(chunk: Buffer): Buffer | 'too-long' | null {
      const missing = Math.min(2 - prefix.length, chunk.length);
      prefix.push(...chunk.subarray(0, missing));
      const [high, low] = prefix;
      if (high === undefined || low === undefined) return null;
      if (body === null && !admits((high << 8) | low)) return 'too-long';
      body ??= Buffer.alloc((high << 8) | low);
      filled += chunk.copy(body, filled, missing);
      return filled === body.length ? body : null;
    },
  };
}
