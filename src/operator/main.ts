import { configArgument, runProgram } from '../lib/run-program.ts';
import { readOperatorConfig } from './config.ts';
import { runOperator } from './run-operator.ts';

await runProgram('the operator', (context, signal) =>
  runOperator({ ...context, config: readOperatorConfig(configArgument('operator')) }, signal),
);
