import { closing, opening } from './pseudo-locale.ts';

/** Attributes that people see or hear. */
const spoken = /\s(aria-label|placeholder|title|alt|data-label|aria-description)="([^"]*)"/g;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const decoded = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '');

/** What is outside of all brackets. */
function outside(text: string): string {
  let depth = 0;
  return [...text]
    .map((character) => {
      if (character === opening) depth += 1;
      if (character === closing) depth -= 1;
      return depth > 0 || character === closing ? ' ' : character;
    })
    .join('');
}

const without = (text: string, data: readonly string[]): string =>
  data.toSorted((a, b) => b.length - a.length).reduce((rest, part) => rest.replaceAll(part, ' '), text);

const lettersOf = (text: string): readonly string[] => text.match(/\p{L}+/gu) ?? [];

/** The texts of the script, as the page sends them. */
function scriptTexts(page: string): readonly string[] {
  const sent = /id="words">([^<]*)</.exec(page)?.[1] ?? '{}';
  const texts = Object.values(JSON.parse(sent) as Readonly<Record<string, string | Readonly<Record<string, string>>>>);
  return texts.flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)));
}

/**
 * Words of a page in the pseudo-locale that are not from the catalogue. Codes, dates and what the model brings (`data`:
 * hostnames, records, names) are none.
 */
export function untranslated(page: string, data: readonly string[]): readonly string[] {
  const shown = page
    .replaceAll(/<(code|time|script|style|template)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<!doctype[^>]*>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ');
  const said = [...page.matchAll(spoken)].map(([, , value = '']) => value);
  return [...[shown, ...said].map(decoded), ...scriptTexts(page)].flatMap((text) =>
    lettersOf(without(outside(text), data)),
  );
}
