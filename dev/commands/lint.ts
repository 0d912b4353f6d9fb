import { check } from '../lib/check.ts';

process.exitCode = (await check(process.argv.slice(2))) ? 0 : 1;
