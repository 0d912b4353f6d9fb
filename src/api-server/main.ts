import { configArgument, runProgram } from '../lib/run-program.ts';
import { readApiConfig } from './config.ts';
import { runApiServer } from './run-api-server.ts';

await runProgram('the API server', (context, signal) =>
  runApiServer({ ...context, config: readApiConfig(configArgument('api-server')) }, signal),
);
