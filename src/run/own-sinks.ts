import { Problem } from '../core/errors.ts'
import { type PhasePart } from '../load/measure/phase-part.ts'
import { type PartOf, type PartSink } from '../load/part-sink.ts'
import { type Position } from './progress.ts'

/**
 * A sink that is handed in. It takes the parts of all phases while they run: from each thread one a second, more when operations fail, and one
 * at the end of each pass; parts add up. It is called between operations, so what takes long belongs into what it returns: that may be a
 * promise, and the end of the phase waits for it. What it throws, or rejects with, ends the run.
 */
export type Sink = (part: PhasePart, of: PartOf & { readonly at: Position }) => unknown

/** The sinks of a phase: all parts go to each. */
export type OpenSinks = {
  readonly take: PartSink
  /**
   * Resolves when all that they have promised is done.
   * @throws {Problem} "usage" for a sink that has failed.
   */
  readonly settled: () => Promise<void>
}

/** Opens sinks that are handed in, for the phases of one run of a row. */
export function openSinks(sinks: readonly Sink[], at: Position): OpenSinks {
  const pending = new Set<Promise<void>>()
  let failure: Problem | undefined

  function give(sink: Sink, index: number, part: PhasePart, of: PartOf): void {
    const failed = (thrown: unknown): void => void (failure ??= sinkFailed(sink, index, thrown))
    try {
      const done = Promise.resolve(sink(part, { ...of, at }))
        .then(() => {}, failed)
        .finally(() => pending.delete(done))
      pending.add(done)
    } catch (thrown) {
      failed(thrown)
    }
  }

  const throwFailure = (): void => {
    if (failure !== undefined) throw failure
  }

  return {
    take(part, of) {
      for (const [index, sink] of sinks.entries()) give(sink, index, part, of)
      throwFailure()
    },
    async settled() {
      await Promise.all(pending)
      throwFailure()
    },
  }
}

function sinkFailed({ name }: Sink, index: number, thrown: unknown): Problem {
  const which = name === '' ? `number ${index + 1}` : `"${name}"`
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem('usage', `The sink ${which} failed: ${reason}`, {
    hint: 'Sinks see all parts or the run ends: catch in the sink what may go wrong with it.',
    cause: thrown,
  })
}
