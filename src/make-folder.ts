import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those around it. Node's own `recursive` never returns where nothing can be made, as in /proc.
 * @returns the outermost that was made; undefined where all were there.
 */
export function makeFolder(folder: string): string | undefined {
  const whole = path.resolve(folder)
  if (isFolder(whole)) return undefined
  const outermost = makeFolder(path.dirname(whole))
  try {
    mkdirSync(whole)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(whole)) throw error
  }
  return outermost ?? whole
}

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false
