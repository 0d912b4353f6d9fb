import { english } from '../../src/dashboard/words/catalogue.ts';
import { createWords } from '../../src/dashboard/words/words.ts';

const defaultBrand = Object.freeze({
  name: 'Custom domains',
  supportUrl: null,
  upgradeUrl: null,
  platformName: null,
  accentColour: null,
});

/** Words, brand and address of an installation that sets none of them. */
export const presentation = Object.freeze({ words: createWords(english), brand: defaultBrand, publicUrl: null });
