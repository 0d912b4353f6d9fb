import { configArgument, runProgram } from '../lib/run-program.ts';
import { readVantageConfig } from './config.ts';
import { runVantage } from './run-vantage.ts';

await runProgram('the vantage point', (context, signal) =>
  runVantage({ ...context, config: readVantageConfig(configArgument('vantage')) }, signal),
);
