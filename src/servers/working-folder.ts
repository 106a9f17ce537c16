import { Problem } from '../core/errors.ts'

/**
 * The working folder of this process.
 * @throws {Problem} "usage" when it was deleted since.
 */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new Problem('usage', 'The working folder is gone', { hint: 'Go to a folder that exists: cd "$HOME"', cause })
  }
}
