/** The panel of a domain's page as its reader meets it, from its HTML alone: a unit test has no browser. */
export interface PanelText {
  readonly pill: string;
  readonly title: string;
  readonly step: string;
  /** the page has a button or link that is its main one */
  readonly hasAction: boolean;
  /** what is to be done with each record, as the class of its row: add, or, keep, delete */
  readonly rows: readonly { readonly act: string; readonly type: string; readonly text: string }[];
  readonly headers: readonly string[];
  /** every text outside of what is closed, without the table of records */
  readonly sentences: readonly string[];
  readonly all: string;
}

const plain = (html: string): string =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

const first = (html: string, pattern: RegExp): string => plain(pattern.exec(html)?.[1] ?? '');
const every = (html: string, pattern: RegExp): readonly RegExpExecArray[] => [...html.matchAll(pattern)];

/** `html` of `domainPanel`. */
export function panelText(html: string): PanelText {
  const table = /<table class="stack records"[\s\S]*?<\/table>/.exec(html)?.[0] ?? '';
  const prose = html.replace(table, '');
  return {
    pill: first(html, /<span class="pill [^>]*>([\s\S]*?)<\/span>/),
    title: first(html, /<h2 id="state-title">[\s\S]*?<\/span>\s*(?:<span>([\s\S]*?)<\/span>)?\s*<\/h2>/),
    step: first(html, /<p class="step">([\s\S]*?)<\/p>/),
    hasAction: /class="(?:button )?main"/.test(html),
    rows: every(table, /<tr class="(\w+)">([\s\S]*?)<\/tr>/g).map(([, act = '', row = '']) => ({
      act,
      type: first(row, /data-label="Type"><code>([\s\S]*?)<\/code>/),
      text: plain(row),
    })),
    headers: every(table, /<th scope="col">([\s\S]*?)<\/th>/g).map(([, header = '']) => plain(header)),
    sentences: every(
      prose,
      /<(?:p|li|h2|h3|h4|summary|dd|strong)\b[^>]*>([\s\S]*?)<\/(?:p|li|h2|h3|h4|summary|dd|strong)>/g,
    )
      .flatMap(([, text = '']) => plain(text).split(/(?<=[.:?]) (?=[A-Z])/))
      .filter((text) => text !== ''),
    all: plain(prose),
  };
}
