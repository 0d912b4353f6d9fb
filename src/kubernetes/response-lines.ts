/** A line longer than this is no event of ours (etcd keeps objects below 1.5 MiB). */
const maxLineBytes = 16 * 1024 * 1024;

/** Splits a body into lines; what stands after the last newline is half a line and is dropped with its connection. */
export async function* responseLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > maxLineBytes) throw new Error(`a line is longer than ${maxLineBytes} bytes`);
    for (const next of others) {
      if (length > 0) yield begun.join('');
      begun = [next];
      length = next.length;
    }
  }
}
