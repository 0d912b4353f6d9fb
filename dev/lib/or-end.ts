/**
 * What a command cannot go on without. When it fails, the process ends with this status and the sentence that says why;
 * where it fell comes along only with errors that are not plain ones: those are ours to mend.
 */
export async function orEnd<T>(work: Promise<T>, status = 1): Promise<T> {
  try {
    return await work;
  } catch (error) {
    console.error(error instanceof Error && error.constructor === Error ? error.message : error);
    return process.exit(status);
  }
}
