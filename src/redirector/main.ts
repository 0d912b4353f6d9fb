import { configArgument, runProgram } from '../lib/run-program.ts';
import { readRedirectorConfig } from './config.ts';
import { runRedirector } from './run-redirector.ts';

const addresses = process.env.POD_IPS?.split(',') ?? [];

await runProgram('the redirector', (context, signal) =>
  runRedirector({ ...context, addresses, config: readRedirectorConfig(configArgument('redirector')) }, signal),
);
