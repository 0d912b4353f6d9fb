import { visibleData, visibleJson, visibleLines } from '../lib/printable.ts';

/** The one place where the command line writes: whatever a tenant, a server or a zone put into a text, no terminal obeys it. */

/** A result on stdout: as it is in JSON, or as `print` has it, whose texts are each on one line. */
export function writeResult<T>(result: T, isJson: boolean | undefined, print: (shown: T) => string): void {
  if (isJson) writeJson(result);
  else writeText(print(visibleData(result)));
}

/** A document on stdout. */
export const writeJson = (document: unknown): void => console.log(visibleJson(JSON.stringify(document, null, 2)));

/** Lines on stdout. What others wrote has to be on one line before it is put into them. */
export const writeText = (text: string): void => console.log(visibleLines(text));

/** Lines on stderr, as on stdout. */
export const tell = (text: string): void => console.error(visibleLines(text));
