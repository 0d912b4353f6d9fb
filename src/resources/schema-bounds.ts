/** What the resources' schemas allow (crds/): a status beyond it would be refused whole, over and over. */
export const schemaBounds = Object.freeze({ message: 4_096, issues: 32, issueText: 1_024, projectDomains: 10_000 });

/** Text cut to a number of characters, with an ellipsis where something is missing. */
export function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
