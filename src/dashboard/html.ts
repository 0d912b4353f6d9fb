import { visibleMarkup } from '../lib/printable.ts';

/** Text that is already HTML; everything else is escaped when it is inserted into a template. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Nothing in it turns or hides what stands around it, and it is sufficient for element content and quoted attribute values; templates insert nothing anywhere else. */
const escaped = (text: string): string =>
  visibleMarkup(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

function shown(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return content.map(shown).join('');
}

/** html`<p title="${title}">${text}</p>`: values are escaped unless they are Html, so text never becomes a tag. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + shown(contents[index])).join(''));
}
