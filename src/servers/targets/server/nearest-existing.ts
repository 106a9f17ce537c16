import { stat } from 'node:fs/promises'
import path from 'node:path'

/** The folder itself, or the nearest above it that is there. */
export async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  )
  return exists || path.dirname(folder) === folder ? folder : nearestExisting(path.dirname(folder))
}
