import type { ApiDependencies } from '../../src/use-cases/api-dependencies.ts';
import type { AppOptions } from '../../src/server/app-options.ts';
import { answeredAnew } from './answered-anew.ts';

const ignore = () => undefined;

/** Options of an app on loopback that nobody measures: unexpected errors go to stderr. */
export const unobserved = (dependencies: ApiDependencies): Omit<AppOptions, 'pages'> => ({
  dependencies,
  answerOnce: answeredAnew,
  address: () => '127.0.0.1',
  isHttps: () => false,
  arrived: ignore,
  decided: ignore,
  failed: (error) => void process.stderr.write(`${String(error)}\n`),
  observe: () => ({ within: (work) => work(), served: ignore }),
});
