import { type ColumnType } from '../../../spec/schema/data-file-kinds.ts'
import { type FoundFile } from '../../../spec/schema/data-file.ts'
import { readArchive } from './archive.ts'
import { readBson } from './bson.ts'
import { type Content } from './content.ts'
import { readCsv } from './csv.ts'
import { type Documents } from './documents.ts'
import { readJsonLines, readJsonList } from './json.ts'

/**
 * Opens the documents of a file by its kind.
 * @param file As the spec names it, for messages.
 */
export function openDocuments(
  file: string,
  { kind, namespace = { database: '', collection: '' } }: Pick<FoundFile, 'kind' | 'namespace'>,
  content: Content,
  columns?: Readonly<Record<string, ColumnType>>,
): Documents {
  switch (kind) {
    case 'lines':
      return readJsonLines(file, content)
    case 'json':
      return readJsonList(file, content)
    case 'csv':
      return readCsv(file, content, columns)
    case 'bson':
      return readBson(file, content)
    case 'archive':
      return readArchive(file, content, namespace)
  }
}
