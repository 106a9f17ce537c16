import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeKey, Stream } from '../../core/random.ts'
import { binaryFiles, bytesPerBinaryFile, largeFileBytes, randomBytes } from './binary.ts'
import { type DataSource, type DocumentName, type FolderName } from './data-source.ts'
import { deepText } from './deep.ts'
import { flatText } from './flat.ts'
import { fullText } from './full.ts'
import { lineFileContents } from './lines.ts'
import { largeText, smallText } from './pairs.ts'
import { tweetText } from './tweet.ts'

/** Seed of the data: the same in every run, on every machine. */
export const dataSeed = 1

const keyOf = (name: string) => placeKey(dataSeed, name)

const texts: Readonly<Record<DocumentName, (stream: Stream) => string>> = {
  'flat_bson.json': flatText,
  'deep_bson.json': deepText,
  'full_bson.json': fullText,
  'tweet.json': tweetText,
  'small_doc.json': smallText,
  'large_doc.json': largeText,
}

const fileContents: Readonly<Record<FolderName, () => Iterable<Buffer>>> = {
  ldjson_multi: () => lineFileContents(keyOf('ldjson_multi')),
  gridfs_multi: function* () {
    for (let file = 0; file < binaryFiles; file++) yield randomBytes(keyOf('gridfs_multi'), file, bytesPerBinaryFile)
  },
}

/** Data generated as the specification describes it. @param workFolder Folder for files that tasks read; kept for the next task. */
export function generatedData(workFolder: string): DataSource {
  return {
    text: async (name) => texts[name](new Stream(keyOf(name)).at(0)),
    bytes: async (name) => randomBytes(keyOf(name), 0, largeFileBytes),
    async files(name) {
      const folder = join(workFolder, name)
      const made = await readdir(folder).catch(() => undefined)
      const names = made ?? (await writeFiles(folder, fileContents[name]()))
      return names.toSorted().map((file) => join(folder, file))
    },
  }
}

/** Writes all files or none, so that a killed task leaves no incomplete folder. */
async function writeFiles(folder: string, contents: Iterable<Buffer>): Promise<readonly string[]> {
  const unfinished = `${folder}.unfinished`
  await mkdir(unfinished, { recursive: true })
  const names: string[] = []
  for (const content of contents) {
    const name = String(names.length).padStart(3, '0')
    await writeFile(join(unfinished, name), content)
    names.push(name)
  }
  await rename(unfinished, folder)
  return names
}
