/** How large a folder of sources is. */
export interface CodeSize {
  /** lines that have code on them */
  readonly lines: number;
  readonly comments: number;
  readonly files: number;
  /** of less than 40 lines of code */
  readonly small: number;
}

const smallBelow = 40;

/** Lines of a file that have code on them, and those that have a comment alone: formatted as all files here are, a comment begins its line. */
export function linesOf(text: string): { readonly code: number; readonly comments: number } {
  let [code, comments, inComment] = [0, 0, false];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const begins = line.startsWith('/*');
    if (inComment || begins || /^(\/\/|--)/.test(line)) comments += 1;
    else code += 1;
    if (inComment || begins) inComment = !line.includes('*/');
  }
  return { code, comments };
}

export function sizeOf(texts: readonly string[]): CodeSize {
  const each = texts.map(linesOf);
  return {
    lines: each.reduce((sum, { code }) => sum + code, 0),
    comments: each.reduce((sum, { comments }) => sum + comments, 0),
    files: each.length,
    small: each.filter(({ code }) => code < smallBelow).length,
  };
}
