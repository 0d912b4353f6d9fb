/** A line longer than this is no event of ours (etcd keeps objects below 1.5 MiB). */
const maxLineBytes = 16 * 1024 * 1024;

/** Splits a body into lines; what stands after the last newline is half a line and is dropped with its connection. */
export async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    let end = rest.indexOf('\n');
    while (end !== -1) {
      if (end > 0) yield rest.slice(0, end);
      rest = rest.slice(end + 1);
      end = rest.indexOf('\n');
    }
    if (rest.length > maxLineBytes) throw new Error(`a line is longer than ${maxLineBytes} bytes`);
  }
}
