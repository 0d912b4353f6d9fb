import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** Who asks for something and until when anybody waits for it: key and quota were found right. */
export interface RequestContext {
  readonly dependencies: ApiDependencies;
  readonly caller: Caller;
  /** aborts when the client goes away or the server stops */
  readonly signal: AbortSignal;
}
