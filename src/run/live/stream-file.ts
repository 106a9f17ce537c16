import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { type LiveEvent, type LiveListener } from './live-events.ts'

/** A file of events, one JSON object a line. */
export type StreamFile = {
  /** Writes an event. Its promise is kept once the file has taken all that waits for it. */
  readonly write: LiveListener
  /**
   * Writes what is left.
   * @throws {Problem} "output-unwritable" when not all events are in the file.
   */
  readonly close: () => Promise<void>
}

/**
 * Opens the file.
 * @param appends Whether events go behind those of an earlier run; else they replace them.
 * @throws {Problem} "output-unwritable"
 */
export async function openStreamFile(path: string, { appends }: { readonly appends: boolean }): Promise<StreamFile> {
  const file = createWriteStream(path, { flags: appends ? 'a' : 'w' })
  let hasFailed = false
  file.on('error', () => (hasFailed = true))
  try {
    await once(file, 'open')
  } catch (error) {
    throw unwritable(path, error)
  }

  let draining: Promise<void> | undefined
  const drained = (): Promise<void> =>
    (draining ??= once(file, 'drain')
      .then(
        () => {},
        () => {},
      )
      .finally(() => (draining = undefined)))

  return {
    write(event: LiveEvent) {
      // The run goes on without it: what it measures is in the result.
      if (hasFailed) return
      if (!file.write(`${JSON.stringify(event)}\n`)) return drained()
    },
    async close() {
      file.end()
      try {
        await finished(file)
      } catch (error) {
        throw unwritable(path, error)
      }
    },
  }
}

const unwritable = (path: string, cause: unknown): Problem =>
  new Problem(
    unwritableCode(describeErrorCode(cause)),
    `--stream: not all events are in ${path} (${describeErrorCode(cause)})`,
    {
      hint: 'Give a file in a folder that exists, on a disk with room.',
      cause,
    },
  )
