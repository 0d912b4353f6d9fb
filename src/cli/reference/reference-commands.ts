import { UsageError } from '../usage-errors.ts';
import { writeJson, writeText } from '../write-output.ts';

export const referenceUsage = `usage: projectdomain reference [--json]

Prints every condition, reason, code, state and scope with its meaning, as Markdown.

  --json   the pages by file name, as docs/reference has them`;

export const openApiUsage = 'usage: projectdomain openapi\n\nPrints the OpenAPI 3.1 document of the REST API.';

/** Prints the pages one after another, or by file name. */
export async function reference(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) throw new UsageError(`there is no option '${unknown}'`);
  // Loads the whole API, so it is imported only by the command that needs it.
  const { referencePages } = await import('./reference-pages.ts');
  const pages = referencePages();
  if (args.includes('--json')) writeJson(pages);
  else writeText(Object.values(pages).join('\n'));
  return 0;
}

/** Prints the document. */
export async function openApi(): Promise<number> {
  // Loads the whole API, so it is imported only by the command that needs it.
  const [{ openApiDocument }, { apiCalls }] = await Promise.all([
    import('../../server/openapi.ts'),
    import('../../server/call-table.ts'),
  ]);
  writeJson(openApiDocument(apiCalls));
  return 0;
}
