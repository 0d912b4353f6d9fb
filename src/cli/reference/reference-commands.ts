import { writeJson, writeText } from '../terminal-output.ts';
import { UsageError } from '../usage-errors.ts';

/** Prints the pages one after another, or by file name. */
export const reference = {
  usage: `usage: projectdomain reference [--json]

Prints every condition, reason, code, state and scope with its meaning, as Markdown.

  --json   the pages by file name, as docs/reference has them`,
  async run(args: readonly string[]): Promise<number> {
    const unknown = args.find((arg) => arg !== '--json');
    if (unknown !== undefined) throw new UsageError(`there is no option '${unknown}'`);
    // Loads the whole API, so it is imported only by the command that needs it.
    const { referencePages } = await import('./reference-pages.ts');
    const pages = referencePages();
    if (args.includes('--json')) writeJson(pages);
    else writeText(Object.values(pages).join('\n'));
    return 0;
  },
};

/** Prints the document. */
export const openApi = {
  usage: 'usage: projectdomain openapi\n\nPrints the OpenAPI 3.1 document of the REST API.',
  async run(): Promise<number> {
    // Loads the whole API, so it is imported only by the command that needs it.
    const { openApiDocument } = await import('../../server/openapi.ts');
    const { apiCalls } = await import('../../server/call-table.ts');
    writeJson(openApiDocument(apiCalls));
    return 0;
  },
};
