import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../core/errors.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { packageRoot } from '../../core/package-root.ts'
import { plainLine, type TextLine } from '../../report/formats/text-blocks.ts'
import { formatPage } from '../terminal/page-text.ts'

const folder = path.join(packageRoot, 'docs')

/** The pages that ship, by their names without extension. The index of pages is `topics`. */
export async function listTopics(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'))
  const named = files.map((file) => [file === 'README.md' ? 'topics' : file.replace('.md', ''), file] as const)
  return new Map(named.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Reads a page as lines for a terminal. */
export async function readTopic(topic: string, columns: number): Promise<readonly TextLine[]> {
  const topics = await listTopics()
  const file = topics.get(path.basename(topic.toLowerCase(), '.md'))
  if (file === undefined) {
    const names = [...topics.keys()]
    throw new Problem('usage', `There is no page or command "${topic}"${didYouMean(nearest(topic, names))}`, {
      hint: `The pages are ${names.join(', ')}.`,
    })
  }
  const source = path.join(folder, file)
  const page = formatPage(await readFile(source, 'utf8'), columns)
  return [...page, plainLine(''), { text: `This page as Markdown: ${source}`, style: 'aside', file: source }]
}
