import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'

const make = (): string => mkdtempSync(path.join(tmpdir(), 'mongo-perf-test-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Makes a folder for the tests of a file, which is removed after them. */
export function useFolder(): string {
  const folder = make()
  afterAll(() => remove(folder))
  return folder
}

/** Makes a folder for each test. Returns a function that joins its path with names. */
export function useFreshFolder(): (...names: readonly string[]) => string {
  let folder: string
  beforeEach(() => void (folder = make()))
  afterEach(() => remove(folder))
  return (...names) => path.join(folder, ...names)
}
