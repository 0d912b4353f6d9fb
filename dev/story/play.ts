import type { Stage } from './stage.ts';
import type { Step } from './story.ts';

/** How the story went; printed as one JSON object. */
export interface Played {
  readonly ok: boolean;
  readonly steps: readonly { readonly name: string; readonly ms: number }[];
  /** the step that failed and why */
  readonly failed?: { readonly name: string; readonly message: string };
}

/** Plays step after step and stops at the first that the world does not show. */
export async function play(steps: readonly Step[], stage: Stage, tell: (line: string) => void): Promise<Played> {
  const done: { name: string; ms: number }[] = [];
  for (const step of steps) {
    const startedAt = Date.now();
    try {
      const line = await step.play(stage);
      const ms = Date.now() - startedAt;
      done.push({ name: step.name, ms });
      tell(
        `  ok  ${step.name.padEnd(18)} ${(ms / 1_000).toFixed(1).padStart(5)} s  ${line.replaceAll('\n', '\n      ')}`,
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      tell(`FAIL  ${step.name.padEnd(18)} ${message}`);
      return { ok: false, steps: done, failed: { name: step.name, message } };
    }
  }
  return { ok: true, steps: done };
}
