import { defaultBrand } from '../../src/dashboard/view-context.ts';
import { english } from '../../src/words/catalogue.ts';
import { createWords } from '../../src/words/words.ts';

/** Words and brand of an installation that sets neither. */
export const presentation = Object.freeze({ words: createWords(english), brand: defaultBrand });
