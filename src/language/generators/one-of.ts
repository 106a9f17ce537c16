import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { shippedPath } from '../../core/package-root.ts'
import { createDistributionPicker, distributionSpec } from './distributions/index.ts'
import { defineGenerator } from './generator.ts'

const kinds = ['names', 'surnames', 'cities', 'sentences'] as const
const languages = ['de', 'en', 'es', 'fr', 'ja', 'ru'] as const

/** Names of the lists of words that ship, such as "cities.en". */
export const wordLists = kinds.flatMap((kind) => languages.map((language) => `${kind}.${language}` as const))

const read = new Map<string, readonly string[]>()

export function readWordList(name: string): readonly string[] {
  const words =
    read.get(name) ??
    readFileSync(shippedPath('words', `${name}.txt`), 'utf8')
      .trimEnd()
      .split('\n')
  read.set(name, words)
  return words
}

export const pickWord = defineGenerator({
  keyword: '@oneOf',
  summary: 'One of the words of a list: one that ships, such as cities of a language, or your own file.',
  args: z
    .strictObject({
      words: z.enum(wordLists).optional().describe('A list that ships, such as "cities.en".'),
      file: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Instead: a text file with a word or a sentence in each line, of at most 256 KB. Its path is relative to the spec. When the spec is read, the words take the place of the file.',
        ),
      values: z.array(z.string()).min(1).optional().describe('Instead: the texts themselves.'),
      distribution: distributionSpec
        .optional()
        .describe('How often each is drawn, by its place in the list: "zipfian" favours the first. Default: uniform.'),
    })
    .refine(
      ({ words, file, values }) => [words, file, values].filter((given) => given !== undefined).length === 1,
      'needs one of "words", "file" and "values"',
    ),
  example: { words: 'cities.en' },
  compile({ words, values, distribution = { kind: 'uniform' } }, context) {
    const texts = values ?? (words === undefined ? undefined : readWordList(words))
    if (texts === undefined) {
      context.report('"file" must be written out in the spec: it is read when the spec is')
      return () => null
    }
    const pick = createDistributionPicker(distribution, texts.length, context.stream(), context.counter)
    return (drawContext) => texts[pick(drawContext)]
  },
})
