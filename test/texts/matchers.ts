import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { fillText, findSimilarLine, makeTemplate, readGolden, type TextData } from './golden.ts'

/** The file that takes what tests saw, when texts are written. */
const recording = process.env['MONGO_PERF_TEXTS']

const golden = readGolden()

interface TextMatchers<R = unknown> {
  /**
   * Compares a text with the one that `test/texts/texts.txt` has under a code, its places filled with data: a string, lines,
   * what an error says with the code of a `Problem` and its hint, or what a function says that throws.
   */
  toSay(code: string, data?: TextData): R
  /** The same for one line of a long text. Space around it does not count. */
  toHaveLine(code: string, data?: TextData): R
}

declare module 'vitest' {
  // The names are Vitest's.
  interface Matchers<T> extends TextMatchers<void> {}
  interface AsymmetricMatchersContaining extends TextMatchers {}
}

function readText(said: unknown): string {
  if (typeof said === 'function') return readText(catchThrown(said as () => unknown))
  // What the package exports has the hint in its messages too.
  if (said instanceof Problem) return `${said.code}: ${said.message.replace(`\n${said.hint}`, '')}\nhint: ${said.hint}`
  if (said instanceof Error) return said.message
  return Array.isArray(said) ? said.join('\n') : String(said)
}

function catchThrown(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

const trimEnds = (text: string): string => text.replaceAll(/[ \t]+$/gm, '').trim()

function record(code: string, text: string, data: TextData): void {
  if (recording !== undefined) appendFileSync(recording, `${JSON.stringify([code, makeTemplate(text, data)])}\n`)
}

expect.extend({
  toSay(said: unknown, code: string, data: TextData = {}) {
    const actual = trimEnds(readText(said))
    record(code, actual, data)
    const expected = recording === undefined ? expectedText(code, data) : actual
    return {
      pass: actual === expected,
      actual,
      expected,
      message: () => `It does not say what test/texts/texts.txt has under "${code}": npm run texts writes it`,
    }
  },
  toHaveLine(said: unknown, code: string, data: TextData = {}) {
    const lines = readText(said)
      .split('\n')
      .map((line) => line.trim())
    const wanted = expectedText(code, data)
    const found = lines.includes(wanted) ? wanted : recording && findSimilarLine(wanted, lines)
    if (found !== undefined) record(code, found, data)
    return {
      pass: found !== undefined,
      actual: lines.join('\n'),
      expected: wanted,
      message: () => `No line is what test/texts/texts.txt has under "${code}": npm run texts writes it`,
    }
  },
})

function expectedText(code: string, data: TextData): string {
  const template = golden.get(code) ?? `(nothing yet under "${code}": npm run texts)`
  const unused = Object.keys(data).filter((name) => !template.includes(`{${name}}`))
  return fillText(template, data) + unused.map((name) => `\n(no place for {${name}})`).join('')
}
