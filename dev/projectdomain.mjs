#!/usr/bin/env node
/** `npx projectdomain …` and, under the name kubectl looks for, `kubectl projectdomain …`: the CLI on the pinned Node. */
import { basename } from 'node:path';
import { start } from './start.mjs';

const isPlugin = basename(process.argv[1]) === 'kubectl-projectdomain';
process.env.PROJECTDOMAIN_CALLED_AS = isPlugin ? 'kubectl projectdomain' : 'projectdomain';

process.exitCode = await start('src/cli/main.ts', process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  return 2;
});
