import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { clockExceptions } from './dev/lint/clock-exceptions.mjs';
import { clocks } from './dev/lint/clocks.mjs';
import { bannedPhrases, goneIdentifiers, gonePhrases } from './dev/lint/gone-words.mjs';
import { restrictedLogCalls } from './dev/lint/log-calls.mjs';
import { pure } from './dev/lint/rooms.mjs';

/** Rooms that decide are given the time, their randomness and everything else they know. */
const purity = {
  files: pure.map((room) => `src/${room}/**/*.ts`),
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: '^node:(?!(crypto|url|zlib)$)',
            message: 'this room is pure: no Node built-ins but hashes, checksums and the forms of names',
            allowTypeImports: true,
          },
        ],
      },
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'pure rooms are given the time' },
      { object: 'Math', property: 'random', message: 'pure rooms are given their randomness' },
    ],
    'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval'],
  },
};

/** One word for one thing: what docs/glossary.md has another word for is not written any more. */
const words = {
  files: ['src/**/*.ts', 'test/**/*.ts', 'dev/**/*.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...goneIdentifiers.map(([pattern, instead]) => ({
        selector: `Identifier[name=/^(${pattern})$/]`,
        message: `this word is gone: write ${instead} (docs/glossary.md)`,
      })),
      ...restrictedLogCalls,
    ],
    'no-warning-comments': ['error', { terms: gonePhrases, location: 'anywhere' }],
  },
};

/** What people read: strings of src/. A test holds its comments and the pages to the same list. */
const phrases = {
  files: ['src/**/*.ts'],
  rules: {
    'no-restricted-syntax': [
      ...words.rules['no-restricted-syntax'],
      ...bannedPhrases.flatMap(([pattern, instead]) =>
        ['Literal[value=', 'TemplateElement[value.raw='].map((text) => ({
          selector: `${text}/\\b${pattern}/i]`,
          message: `nobody says this: write "${instead}"`,
        })),
      ),
    ],
  },
};

/** Time is an input: no verdict of a test depends on how fast the machine is. */
const timeless = {
  files: ['test/**/*.test.ts'],
  ignores: clockExceptions.map(([file]) => file),
  plugins: { own: { rules: { clocks } } },
  rules: { 'own/clocks': 'error' },
};

/** Rules that go by types are in .oxlintrc.json: its linter asks the native compiler (docs/adr/0083). */
export default tseslint.config(
  { ignores: ['node_modules/**', 'src/generated/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-params': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/property.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'test/support/property.ts has it, with its seed' },
      ],
    },
  },
  { files: ['dev/**/*.ts', 'src/cli/terminal-output.ts', 'docs/clients/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['src/cli/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['stdout', 'stderr'].map((property) => ({
          object: 'process',
          property,
          message: 'terminal-output.ts writes, so that no terminal obeys what others wrote',
        })),
      ],
    },
  },
  purity,
  words,
  phrases,
  timeless,
  {
    files: ['**/*.mjs', '*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' } },
  },
  {
    files: ['eslint.config.js', 'jest.config.js', '.dependency-cruiser.mjs'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
