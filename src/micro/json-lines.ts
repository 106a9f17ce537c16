import { readFile } from 'node:fs/promises'
import { type Document } from 'mongodb'

/** Documents of a file that has one on each line, in plain JSON. */
export async function readLines(file: string): Promise<Document[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line): Document => JSON.parse(line))
}
