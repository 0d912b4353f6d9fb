#!/usr/bin/env node
/** `npx projectdomain …` in a checkout: the CLI's TypeScript on the pinned Node. */
import { start } from './start.mjs';

process.exitCode = await start('src/cli.ts', process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  return 2;
});
