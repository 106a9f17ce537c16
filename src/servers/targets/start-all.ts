type Stoppable = { readonly stop: () => Promise<void> }

/** Waits for processes that start together. When one fails, none is left. */
export async function startAll<Process extends Stoppable>(
  starts: readonly Promise<Process>[],
): Promise<readonly Process[]> {
  const ends = await Promise.allSettled(starts)
  const processes = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) {
    await stopAll(processes)
    throw failure.reason
  }
  return processes
}

/** Stops all processes in parallel, then throws the first error, if any. */
export async function stopAll(processes: readonly Stoppable[]): Promise<void> {
  const stops = await Promise.allSettled(processes.map((process) => process.stop()))
  const failure = stops.find((stop) => stop.status === 'rejected')
  if (failure) throw failure.reason
}

/** Ends all of them, also when one fails. */
export async function disposeAll(parts: readonly AsyncDisposable[]): Promise<void> {
  const ends = await Promise.allSettled(parts.map((part) => part[Symbol.asyncDispose]()))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
