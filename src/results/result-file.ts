import { dirname } from 'node:path'
import { holdsFigures, keepPrevious, previousFolder } from './keep-previous.ts'
import { prepareOutput, writeResult } from './results-file.ts'
import { type VariantResult } from './schema.ts'

/** A file that a result is written to while it grows. An earlier result stays there until something new was measured. */
export type ResultFile = {
  /** Makes sure that the file can be written. */
  readonly prepare: () => Promise<void>
  /** @param hasFigures Whether the run has measured something, so that an earlier result makes way. */
  readonly save: (content: { readonly format: string }, hasFigures: boolean) => Promise<void>
  /** Whether the run has written it. False: an earlier result is still there. */
  readonly isWritten: () => boolean
}

type Options = {
  /** Whether the run goes on with the earlier result, which is then part of the new one. Default false. */
  readonly resumes?: boolean
  /** Called with the new place of an earlier result. */
  readonly onPrevious?: (place: string) => void
}

/** Creates a result file, which writes nothing yet. */
export function createResultFile(path: string, { resumes = false, onPrevious }: Options = {}): ResultFile {
  let isWritten = false
  return {
    async prepare() {
      await prepareOutput(dirname(path))
      // Tried now: an hour later it would cost what was measured.
      if (!resumes && (await holdsFigures(path))) await prepareOutput(previousFolder(path))
    },
    isWritten: () => isWritten,
    async save(content, hasFigures) {
      if (!isWritten) {
        if (!hasFigures && (await holdsFigures(path))) return
        const previous = resumes ? null : await keepPrevious(path)
        isWritten = true
        if (previous !== null) onPrevious?.(previous)
      }
      await writeResult(path, content)
    },
  }
}

/** Whether a row has figures, if only those of an interrupted phase. */
export const isMeasured = ({ status, phases }: VariantResult): boolean =>
  status === 'done' ||
  phases.some(({ operations }) => operations.some(({ ok, failed, unknown }) => ok + failed + unknown > 0))
