import { parseDocument } from './parse-document.ts'

/** The names of the sections and placeholders of a document, in order. */
export const sectionNames = (text: string, file: string): readonly string[] => [
  ...new Set(
    parseDocument(text, file)
      .blocks.map(({ name }) => name.replace(/\/.*/, ''))
      .filter((name) => !name.startsWith('@')),
  ),
]
