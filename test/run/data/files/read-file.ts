import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Document } from 'bson'
import { openContent } from '../../../../src/run/data/files/content.ts'
import { fileBatches, openDocuments } from '../../../../src/run/data/load.ts'
import type { ColumnType } from '../../../../src/spec/schema/data-file-kinds.ts'
import { findDataFile } from '../../../../src/spec/schema/data-file.ts'
import { documentsOfBatches } from '../documents-of-batches.ts'

type Named = {
  readonly collection?: string
  readonly namespace?: string
  readonly columns?: Readonly<Record<string, ColumnType>>
  readonly most?: number
}

/** The documents that a data set gets from a file of this content. */
export async function readFileOf(
  folder: string,
  file: string,
  bytes: Uint8Array | string,
  { collection = 'orders', namespace, columns, most = 0 }: Named = {},
): Promise<readonly Document[]> {
  await writeFile(path.join(folder, file), bytes)
  const found = findDataFile({ file, collection, namespace, columns }, folder)
  if (found.reason !== undefined) throw new Error(found.reason)
  const content = openContent(found.path, found.bytes, found.isGzip)
  return (await documentsOfBatches(fileBatches(openDocuments(file, found, content, columns), most))).flat()
}
