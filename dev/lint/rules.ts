import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ESLint } from 'eslint';
import { filesIn } from './files.ts';
import { openKnownGood } from './known-good.ts';

/**
 * What `eslint --max-warnings 0 .` reports, of files in which it found something or that it did not see yet. None of its rules looks at another file:
 * those that go by types are oxlint's.
 */
const root = process.cwd();
const eslint = new ESLint();
const known = openKnownGood('linted');

/** The rules: the configuration, and the lists that it takes from this folder. */
const settings = [
  ESLint.version,
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
  readFileSync(join(root, 'eslint.config.js'), 'utf8'),
  ...readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.mjs'))
    .toSorted()
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')),
];
const rules = known.digestOf(...settings);

const isCode = (path: string): boolean => /\.(ts|mjs|js)$/.test(path);
/** ESLint says of a folder that it is ignored, as no rule is for it. */
const paths = await filesIn(root, async (path) => isCode(path) && (await eslint.isPathIgnored(path)));
const digests = new Map(
  paths.filter(isCode).map((path) => [path, known.digestOf(rules, relative(root, path), readFileSync(path, 'utf8'))]),
);
const unknown = [...digests].filter(([, digest]) => !known.has(digest)).map(([path]) => path);
if (digests.size === 0) throw new Error('no file to look at was found');
const results = unknown.length === 0 ? [] : await eslint.lintFiles(unknown);
const formatter = await eslint.loadFormatter('stylish');
process.stderr.write(await formatter.format(results));

const faulty = new Set(
  results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0).map(({ filePath }) => filePath),
);
known.keep([...digests].filter(([path]) => !faulty.has(path)).map(([, digest]) => digest));
process.exitCode = faulty.size === 0 ? 0 : 1;
