import ts from 'typescript';

/** A change of one place of a program that some test should notice. */
export interface Mutation {
  readonly kind: 'condition' | 'comparison' | 'logic' | 'call' | 'number';
  /** offsets of what is replaced */
  readonly start: number;
  readonly end: number;
  /** counted from one */
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

const operators: Readonly<Record<string, readonly [Mutation['kind'], string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/** What is logged is no behaviour that tests are to hold. */
const isLogging = (text: string): boolean => /\blog(ger)?\.(trace|debug|info|warn|error)\(/.test(text);

type Replaced = Pick<Mutation, 'kind' | 'to'> & { readonly node: ts.Node };

/** Every mutation of a file, in the order of the text: a condition that always or never holds, a comparison that is off, a call that is left out, a number that is one larger. */
export function mutationsOf(path: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Replaced[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...replacementsOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found
    .map(({ kind, node, to }): Mutation => {
      const [start, end] = [node.getStart(source), node.getEnd()];
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      return { kind, start, end, line, from: text.slice(start, end), to };
    })
    .toSorted((a, b) => a.start - b.start);
}

function replacementsOf(node: ts.Node): readonly Replaced[] {
  if (ts.isIfStatement(node)) return ['true', 'false'].map((to) => ({ kind: 'condition', node: node.expression, to }));
  if (ts.isConditionalExpression(node))
    return ['true', 'false'].map((to) => ({ kind: 'condition', node: node.condition, to }));
  if (ts.isBinaryExpression(node)) {
    const found = operators[node.operatorToken.getText()];
    return found === undefined ? [] : [{ kind: found[0], node: node.operatorToken, to: found[1] }];
  }
  if (ts.isExpressionStatement(node)) return isCall(node.expression) ? [{ kind: 'call', node, to: ';' }] : [];
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    // The type of a literal says it again.
    return ts.isLiteralTypeNode(node.parent) ? [] : [{ kind: 'number', node, to: String(value + 1) }];
  }
  return [];
}

function isCall(expression: ts.Expression): boolean {
  const inner =
    ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(inner) && !isLogging(inner.getText());
}

export const mutated = (text: string, { start, end, to }: Mutation): string =>
  `${text.slice(0, start)}${to}${text.slice(end)}`;

/** Numbers from zero to below one, the same for the same seed (Tommy Ettinger's mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many mutations, taken from each room in turn; the same for the same seed and text. */
export function chooseMutations(
  rooms: Readonly<Record<string, readonly { readonly path: string; readonly text: string }[]>>,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly (Mutation & { readonly path: string })[] {
  const random = createRandom(seed);
  const left = Object.values(rooms).map((files) =>
    files.flatMap(({ path, text }) => mutationsOf(path, text).map((mutation) => ({ ...mutation, path }))),
  );
  const chosen: (Mutation & { path: string })[] = [];
  while (chosen.length < count && left.some((room) => room.length > 0)) {
    for (const room of left) {
      if (chosen.length === count || room.length === 0) continue;
      chosen.push(...room.splice(Math.floor(random() * room.length), 1));
    }
  }
  return chosen;
}
