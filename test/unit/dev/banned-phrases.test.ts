import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bannedPhrases } from '../../../dev/lint/gone-words.mjs';

const root = join(import.meta.dirname, '../../..');

const below = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(ts|js|css|md|ya?ml|tpl|txt|conf)$/.test(path));

const files = [...['src', 'docs', 'charts', 'crds', 'config'].flatMap(below), 'README.md'];

const pattern = new RegExp(`\\b(?:${bannedPhrases.map(([phrase]) => phrase).join('|')})(?!\\w)`, 'i');

/** Fails when a text for people, a comment or a page says what a reader of English stumbles over. */
describe('phrases that nobody says', () => {
  it('are in no source, no chart and no page', () => {
    expect(files.length).toBeGreaterThan(400);
    const found = files.flatMap((path) => {
      const match = pattern.exec(readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' '));
      return match ? [`${path}: ${match[0]}`] : [];
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['Nothing stands at www.example.com', true],
    ['it is mended', true],
    ['This is no API key: look for a letter', true],
    ['an amendment in the way that browsers do', false],
  ])('%s: %s', (text, isBanned) => {
    expect(pattern.test(text)).toBe(isBanned);
  });
});
