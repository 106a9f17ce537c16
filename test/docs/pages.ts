import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The pages that are written by hand or generated, by their path. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...readdirSync(new URL('docs/', root)).flatMap((file) => (file.endsWith('.md') ? `docs/${file}` : [])),
  ].map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
)

const examples = new URL('fixtures/examples/', root)

/** The specs that pages lead to instead of showing them, by their path. */
export const exampleSpecs: ReadonlyMap<string, string> = new Map(
  readdirSync(examples).flatMap((file) =>
    file.endsWith('.json') ? [[`fixtures/examples/${file}`, readFileSync(new URL(file, examples), 'utf8')]] : [],
  ),
)

export const pageOf = (path: string): string => pages.get(path) ?? ''

/** The code blocks of a page whose fence has these words. */
export const fencesOf = (page: string, words: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${words}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)

/** The commands of a page that call the program, without `npx mongo-perf`: what a shell would run. */
export const commandsOf = (page: string): readonly string[] =>
  fencesOf(page, 'sh')
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => /(?:^|&& )npx mongo-perf (.*)$/.exec(line)?.[1] ?? [])
