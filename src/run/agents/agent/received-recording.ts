import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A recording that the coordinator of a run sends in pieces. It lies in a temporary folder that only this user may read, until it is removed. Nothing here
 * is awaited: no load is under way while pieces come, and an agent that leaves its run has to be gone at once.
 */
export class ReceivedRecording {
  readonly #hash = createHash('sha256')
  #folder: string | undefined
  #bytes = 0

  /** Adds the piece that begins at that byte. */
  add(at: number, bytes: Uint8Array): void {
    if (at !== this.#bytes) throw new Error(`A piece of the recording begins at byte ${at} instead of ${this.#bytes}`)
    this.#bytes += bytes.length
    this.#hash.update(bytes)
    this.#folder ??= mkdtempSync(join(tmpdir(), 'mongo-perf-agent-'))
    appendFileSync(fileIn(this.#folder), bytes, { mode: 0o600 })
  }

  /** @throws {Error} when it is not what was sent. */
  fileOf(digest: string): string {
    if (this.#folder === undefined || this.#hash.copy().digest('hex') !== digest)
      throw new Error('The recording has not arrived as it was sent')
    return fileIn(this.#folder)
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }
}

const fileIn = (folder: string): string => join(folder, 'recording.mprec')
