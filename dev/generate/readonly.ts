import ts from 'typescript';

/** The same types with every property and every array readonly: objects of the API are never changed in place. */
export function withReadonly(text: string): string {
  const source = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest, true);
  const starts: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isChangeable(node)) starts.push(node.getStart(source));
    node.forEachChild(visit);
  };
  visit(source);
  return starts
    .toSorted((a, b) => b - a)
    .reduce((done, start) => `${done.slice(0, start)}readonly ${done.slice(start)}`, text);
}

const isChangeable = (node: ts.Node): boolean =>
  ts.isPropertySignature(node) || ts.isIndexSignatureDeclaration(node) || ts.isArrayTypeNode(node);
