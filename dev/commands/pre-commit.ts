import type { Configuration } from 'lint-staged';
import lintStaged from 'lint-staged';
import { typeArguments } from '../lib/check.ts';

/**
 * What git's pre-commit hook runs: types of the whole tree, lint and format of the files that are staged, exactly as they
 * are staged. What can be mended is mended and staged again; the rest refuses the commit.
 */
const lint = 'eslint --fix --max-warnings 0 --no-warn-ignored';
const format = 'prettier --ignore-unknown --write';
const staged: Configuration = {
  '*.ts': [() => `oxlint ${typeArguments.join(' ')}`, lint, format],
  '*.{js,mjs}': [lint, format],
  '!(*.{ts,js,mjs})': format,
};

process.exitCode = (await lintStaged({ config: staged })) ? 0 : 1;
