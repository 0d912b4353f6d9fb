/** What is known of a span. Never an object's content, a credential, a token or a customer's key. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A trace that was started: one reconcile or one request, with everything that happens within it. */
interface Trace {
  /** Runs `work`; the spans of everything that it starts belong to the trace. */
  within<T>(work: () => T): T;
  /** Ends it, with what is known by then. To be called once. */
  end(outcome: { readonly name?: string; readonly attributes: SpanAttributes; readonly failed: boolean }): void;
}

/** Records what takes how long, for those who look into single reconciles and requests. Never throws on its own account. */
export interface Tracer {
  start(name: string, attributes: SpanAttributes): Trace;
  /** Runs `work` as a span of the trace that this is called in; outside of a trace it only runs `work`. */
  span<T>(name: string, attributes: SpanAttributes, work: () => T | Promise<T>): Promise<T>;
}

/** The tracer of a process. */
export interface ProcessTracer extends Tracer {
  /** Sends what is left, within a second or not at all. */
  close(): Promise<void>;
}

const nothing: Trace = Object.freeze({ within: <T>(work: () => T) => work(), end: () => undefined });

/** Records nothing. */
export const noTracer: ProcessTracer = Object.freeze({
  start: () => nothing,
  span: async <T>(_: string, __: SpanAttributes, work: () => T | Promise<T>) => work(),
  close: () => Promise.resolve(),
});
