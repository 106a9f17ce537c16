import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../core/errors.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { packageRoot } from '../../core/package-root.ts'
import { plainLine, type TextLine } from '../../report/formats/text-blocks.ts'

const folder = path.join(packageRoot, 'docs')

/** Lists the pages that ship: their files by their names. The index of pages is `topics`. */
export async function listTopics(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted()
  return new Map(files.map((file) => [file === 'README.md' ? 'topics' : file.replace('.md', ''), file]))
}

/** Says where a page is, in the installed package and online; for `topics`, which pages there are. */
export async function locateTopic(topic: string): Promise<readonly TextLine[]> {
  const topics = await listTopics()
  const file = topics.get(path.basename(topic.toLowerCase(), '.md'))
  if (file === undefined) {
    const names = [...topics.keys()].toSorted()
    throw new Problem('usage', `There is no page or command "${topic}"${didYouMean(nearest(topic, names))}`, {
      hint: `The pages are ${names.join(', ')}.`,
    })
  }
  const source = path.join(folder, file)
  return [
    { text: await readTitle(file), style: 'title' },
    ...(file === 'README.md' ? await Promise.all([...topics].map(describeTopic)) : []),
    { ...plainLine(source), file: source },
    plainLine(`${await readHome()}/docs/${file}`),
  ]
}

const describeTopic = async ([name, file]: readonly [string, string]): Promise<TextLine> =>
  plainLine(`  ${name.padEnd(22)}${await readTitle(file)}`)

const readTitle = async (file: string): Promise<string> =>
  /^# (.+)$/m.exec(await readFile(path.join(folder, file), 'utf8'))?.[1] ?? file

/** Reads where the repository is, as the package names it. */
async function readHome(): Promise<string> {
  const { homepage } = JSON.parse(await readFile(path.join(packageRoot, 'package.json'), 'utf8')) as {
    readonly homepage: string
  }
  return `${homepage.replace(/#.*$/, '')}/blob/main`
}
