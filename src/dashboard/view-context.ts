import type { Words } from './words/words.ts';

/** How a platform presents the dashboard to its customers. */
export interface Brand {
  /** shown in the header and in titles */
  readonly name: string;
  /** where customers ask for help: an https or mailto URL; null if they are told to ask the platform */
  readonly supportUrl: string | null;
  /** where customers change their plan; null if they are told to ask the platform */
  readonly upgradeUrl: string | null;
  /** what the platform calls itself in sentences, such as "Acme"; null for "the platform" */
  readonly platformName: string | null;
  /**
   * Colour of links and buttons, `#rrggbb` for each theme; null for the dashboard's own. They are two because no colour
   * has enough contrast with a white page and with a black one.
   */
  readonly accentColour: { readonly light: string; readonly dark: string } | null;
}

/** What every view needs beside its model. */
export interface ViewContext {
  readonly words: Words;
  readonly brand: Brand;
  /** goes into every form as the field `csrf`; '' before sign-in */
  readonly csrf: string;
}

/** For a visitor with a session by its token for forms; for anybody else without one. */
export const viewOf = ({ words, brand }: Omit<ViewContext, 'csrf'>, csrf = ''): ViewContext => ({ words, brand, csrf });
