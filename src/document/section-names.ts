import { parseDocument } from './parse-document.ts'

/** The sections that a document has or keeps places for, in their order. */
export const sectionNames = (text: string, file: string): readonly string[] => [
  ...new Set(
    parseDocument(text, file)
      .blocks.map(({ name }) => name.replace(/\/.*/, ''))
      .filter((name) => !name.startsWith('@')),
  ),
]
