import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { goldenFile } from '../texts/golden.ts'
import { pageOf } from './pages.ts'

const lines = readFileSync(goldenFile, 'utf8').split('\n')

/** The messages that the page quotes: the first cells of its tables. */
const messages = [...pageOf('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, message = '']) => message,
)

/** Whether a text of the product has the words of a message in their order. */
const isPrinted = (message: string): boolean => {
  const words = message.split('…').map((part) => part.trim())
  return lines.some((line) => {
    let at = 0
    return words.every((part) => {
      const found = line.indexOf(part, at)
      at = found + part.length
      return found !== -1
    })
  })
}

test('the page on troubleshooting quotes messages that the product prints', () => {
  expect(messages.length).toBeGreaterThan(30)
  expect(messages.filter((message) => !isPrinted(message))).toEqual([])
})
