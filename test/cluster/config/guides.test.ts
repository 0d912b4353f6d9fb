import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** What the guides send their readers to is there: files, sections, and the configuration that commands name. */

const root = join(import.meta.dirname, '../../..');
const guides = ['install', 'upgrade', 'uninstall', 'ingress-controllers', 'sizing', 'security'];
const pages = ['config/kind/README.md', ...guides.map((name) => `docs/${name}.md`)];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part);

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  found(read(page), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : relative(root, join(root, dirname(page), file));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

describe.each(pages)('%s', (page) => {
  it('links to files and sections that are there', () => {
    const links = found(read(page), /\]\(([^)\s]+)\)/g).filter((link) => !link.startsWith('https://'));
    expect(links.filter((link) => isBroken(page, link))).toEqual([]);
  });

  it('names configuration, charts and tests that are there', () => {
    const paths = found(read(page), /\b((?:config|charts|crds|test)\/[\w./-]*\w)/g);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names values of the chart that are there', () => {
    const schema = JSON.parse(read('charts/projectdomain/values.schema.json')) as {
      properties: Record<string, object>;
    };
    const named = found(
      read(page),
      /`((?:api|crds|dns|issuer|operator|probe|redis|uninstall)\.(?!yaml`)\w+)[\w.]*[=`:]/g,
    );
    const missing = named.filter((value) => {
      const [group = '', name = ''] = value.split('.');
      return !JSON.stringify(schema.properties[group]).includes(`"${name}":`);
    });
    expect(missing).toEqual([]);
  });
});
