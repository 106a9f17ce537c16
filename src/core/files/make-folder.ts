import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Creates a folder and its parents. Node's own `recursive` never returns where nothing can be created, as in /proc.
 * @returns The outermost folder that was created. Undefined where all existed.
 */
export function makeFolder(folder: string): string | undefined {
  const whole = path.resolve(folder)
  if (isFolder(whole)) return undefined
  const parent = path.dirname(whole)
  // Of a file in the place of a parent, the system says ENOTDIR; newer versions of Node find nothing there.
  const outermost = existsSync(parent) ? undefined : makeFolder(parent)
  try {
    mkdirSync(whole)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(whole)) throw error
  }
  return outermost ?? whole
}

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false
