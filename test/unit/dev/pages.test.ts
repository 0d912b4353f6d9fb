import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bodyLimitKiB } from '../../../src/server/head-fault.ts';
import { codeIn, linkedFiles } from '../../support/markdown.ts';

const root = join(import.meta.dirname, '../../..');
const below = (folder: string): readonly string[] => readdirSync(join(root, folder)).map((name) => join(folder, name));
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/glossary.md',
  ...below('docs/concepts'),
  ...below('docs/contributing'),
];

/** What a page names that is not there: linked files, and code that is a path of ours. */
function missingOn(page: string, text: string): readonly string[] {
  const linked = linkedFiles(text).map((target) => join(dirname(page), target));
  const named = codeIn(text).filter((code) => /^(src|dev|test|crds|charts|config|docs)\/[\w./-]+$/.test(code));
  return [...linked, ...named].filter((path) => !existsSync(join(root, path)));
}

const sources = ['src', 'dev', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('test/unit/dev/')),
);

/** Fails when a comment cites a page that is not in the repository. */
describe('comments', () => {
  it('cite pages that there are', () => {
    const cited = sources.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\bdocs\/[a-z0-9/-]+\.md\b/g)].map(([page]) => ({
        path,
        page,
      })),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ page }) => !existsSync(join(root, page)))).toEqual([]);
  });
});

/** Fails when a limit was changed and the pages that state it were not. */
describe('the limit of a request body', () => {
  it.each(['docs/rest-api.md', 'docs/security.md'])('is in %s as the server has it', (page) => {
    expect(readFileSync(join(root, page), 'utf8')).toContain(`${bodyLimitKiB} KiB`);
  });
});

/** Fails when a file was moved and the pages that lead to it were not changed. */
describe('a page', () => {
  it.each(pages)('%s names and links files that there are', (page) => {
    expect(missingOn(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ['a file that is gone', 'see `src/none.ts`', ['src/none.ts']],
    ['a link to nowhere', '[a](none.md#place)', ['docs/none.md']],
    ['addresses and commands', '[a](https://example.com/none.md), `npm test -- test/none`', []],
  ])('%s', (_, text, missing) => {
    expect(missingOn('docs/page.md', text)).toEqual(missing);
  });
});

/** Fails when a picture was renamed or is no longer shown, or was taken so large that nobody wants it in a repository. */
describe('the pictures of the dashboard', () => {
  const pictures = below('docs/dashboard').filter((path) => path.endsWith('.png'));
  const shown = ['README.md', 'docs/dashboard/README.md'].flatMap((page) =>
    linkedFiles(readFileSync(join(root, page), 'utf8')).map((target) => join(dirname(page), target)),
  );

  it('are those that the pages show', () => {
    expect(pictures.filter((path) => !shown.includes(path))).toEqual([]);
    expect(shown.filter((path) => path.endsWith('.png') && !pictures.includes(path))).toEqual([]);
  });

  it('have less than 450 kB each', () => {
    expect(pictures.filter((path) => readFileSync(join(root, path)).length > 450_000)).toEqual([]);
  });
});
