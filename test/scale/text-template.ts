/** A text in which some words stand for others. */
export interface TextTemplate {
  /** The text with each word replaced by what `valueOf` gives for it. */
  render(valueOf: (word: string) => string): string;
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** Finds the words once; of two that begin at the same place the longer one counts. */
export function textTemplate(text: string, words: readonly string[]): TextTemplate {
  const pattern = new RegExp(
    `(${words
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|')})`,
    'g',
  );
  const pieces = text.split(pattern);
  return { render: (valueOf) => pieces.map((piece, at) => (at % 2 === 0 ? piece : valueOf(piece))).join('') };
}
