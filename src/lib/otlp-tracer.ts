import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import type { Span } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { messageOf } from './error-serializer.ts';
import type { Log } from './log.ts';
import type { ProcessTracer } from './tracer.ts';

/** Where traces are sent, and how many. */
export interface TracingOptions {
  /** URL that spans are posted to */
  readonly url: string;
  /** part of the reconciles and requests that are traced, 0 to 1 */
  readonly sampleRatio: number;
}

export interface OtlpTracerOptions extends TracingOptions {
  /** the program, as traces name it */
  readonly service: string;
  readonly log: Log;
}

/** Spans that wait to be sent; more are dropped. Some two megabytes. */
const queuedAtMost = 2_048;
const sendEveryMs = 2_000;
const sendWithinMs = 5_000;
const closeWithinMs = 1_000;

/**
 * Sends spans by OTLP over HTTP as JSON, in the background: a collector that is slow or away delays nothing, and what does
 * not fit in the queue is lost. Callers' traceparent headers are not read: they come from customers.
 */
export function createOtlpTracer({ service, url, sampleRatio, log }: OtlpTracerOptions): ProcessTracer {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendWithinMs, concurrencyLimit: 1 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': hostname() }),
    sampler: new TraceIdRatioBasedSampler(sampleRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: noticeFaults(exporter, log),
        maxQueueSize: queuedAtMost,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendWithinMs,
      }),
    ],
  });
  const spans = provider.getTracer('projectdomain');
  const current = new AsyncLocalStorage<Span>();
  return {
    start(name, attributes) {
      const span = spans.startSpan(name, { attributes }, ROOT_CONTEXT);
      return {
        within: (work) => current.run(span, work),
        end({ name: better, attributes: known, failed }) {
          if (better !== undefined) span.updateName(better);
          span.setAttributes(known);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async span(name, attributes, work) {
      const parent = current.getStore();
      if (!parent?.isRecording()) return work();
      const span = spans.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, parent));
      try {
        return await current.run(span, work);
      } catch (error) {
        // The text of an error may quote what it is about, so its class has to do.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeWithinMs);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** Logs the first export that fails, and the first that succeeds again. */
function noticeFaults(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isFailing) log.warn({ reason: messageOf(result.error) }, 'traces cannot be sent and are lost');
        if (!fails && isFailing) log.info({}, 'traces are sent again');
        isFailing = fails;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
