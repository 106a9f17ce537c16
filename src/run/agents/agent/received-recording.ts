import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A recording that the coordinator of a run sends in pieces. It lies in a temporary folder that only this user may read, until it is removed. */
export class ReceivedRecording {
  readonly #hash = createHash('sha256')
  #folder: Promise<string> | undefined
  #bytes = 0
  #adding: Promise<void> = Promise.resolve()

  /** Adds the piece that begins at that byte. */
  async add(at: number, bytes: Uint8Array): Promise<void> {
    this.#adding = this.#add(at, bytes)
    await this.#adding
  }

  /** @throws {Error} when it is not what was sent. */
  async fileOf(digest: string): Promise<string> {
    if (this.#folder === undefined || this.#hash.copy().digest('hex') !== digest)
      throw new Error('The recording has not arrived as it was sent')
    return fileIn(await this.#folder)
  }

  async remove(): Promise<void> {
    await this.#adding.catch(() => undefined)
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true })
  }

  async #add(at: number, bytes: Uint8Array): Promise<void> {
    if (at !== this.#bytes) throw new Error(`A piece of the recording begins at byte ${at} instead of ${this.#bytes}`)
    this.#bytes += bytes.length
    this.#hash.update(bytes)
    this.#folder ??= mkdtemp(join(tmpdir(), 'mongo-perf-agent-'))
    await appendFile(fileIn(await this.#folder), bytes, { mode: 0o600 })
  }
}

const fileIn = (folder: string): string => join(folder, 'recording.mprec')
