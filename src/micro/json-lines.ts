import { readFile } from 'node:fs/promises'
import { type Document } from 'mongodb'

/** Reads a file with one JSON document per line. */
export async function readLines(file: string): Promise<Document[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line): Document => JSON.parse(line))
}
