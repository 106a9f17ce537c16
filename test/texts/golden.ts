import { readFileSync } from 'node:fs'
import path from 'node:path'
import { closest, distance } from 'fastest-levenshtein'

/** The texts of the product, by code. `npm run texts` writes it. */
export const goldenFile = path.resolve(import.meta.dirname, 'texts.txt')

/** Values in a text, by the names of their places in it: `{rows}`. */
export type TextData = Readonly<Record<string, string | number>>

const indent = '    '

/** Formats texts for the file: each is indented below its code. */
export function formatGolden(texts: Iterable<readonly [string, string]>): string {
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([code, text]) => `${code}\n${text.replaceAll(/^(?=.)/gm, indent)}\n`).join('\n')
}

/** Reads what `formatGolden` formatted. */
export function parseGolden(file: string): Map<string, string> {
  const entries = file.split(/^(?=\S)/m).filter((entry) => entry.trim() !== '')
  return new Map(
    entries.map((entry) => {
      const [code = '', ...lines] = entry.trimEnd().split('\n')
      return [code, lines.map((line) => line.slice(indent.length)).join('\n')]
    }),
  )
}

/** Reads the texts as they are now. */
export const readGolden = (): Map<string, string> => parseGolden(readFileSync(goldenFile, 'utf8'))

/** Puts values into a text. */
export const fillText = (template: string, data: TextData): string =>
  template.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(data[name] ?? place))

/**
 * Makes a text a template: values become places.
 * @throws when a value is not in the text.
 */
export function makeTemplate(text: string, data: TextData): string {
  const longestFirst = Object.entries(data).toSorted(([, one], [, other]) => String(other).length - String(one).length)
  return longestFirst.reduce((template, [name, value]) => {
    const escaped = String(value).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    const whole = new RegExp(String.raw`(?<![\w{])${escaped}(?![\w}])`, 'g')
    if (!whole.test(template)) throw new Error(`{${name}} is "${value}", which is not in the text: ${text}`)
    return template.replaceAll(whole, () => `{${name}}`)
  }, text)
}

/** Reads one text, for tests that wait for it. */
export function readText(code: string, data: TextData = {}): string {
  const template = readGolden().get(code)
  if (template === undefined) throw new Error(`test/texts/texts.txt has nothing under "${code}"`)
  return fillText(template, data)
}

/** Finds the line that is most like a text. Undefined: none has half of it. */
export function findSimilarLine(text: string, lines: readonly string[]): string | undefined {
  const line = closest(text, lines)
  return distance(text, line) <= text.length / 2 ? line : undefined
}
