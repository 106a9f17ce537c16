import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const folder = new URL('docs/adr/', root)
const files = readdirSync(folder).toSorted()

const sections = ['Context', 'Decision', 'Consequences', 'Alternatives considered']
const maxLines = 40
const maxLineLength = 180

const linksIn = (text: string): string[] => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

describe.each(files)('docs/adr/%s', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const lines = text.trimEnd().split('\n')

  test('has a number, a status and all sections in their order', () => {
    const number = files.indexOf(file) + 1
    expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-[a-z-]+\\.md$`))
    expect(lines[0]).toMatch(new RegExp(`^# ${number}\\. `))
    expect(lines[2]).toMatch(/^\*\*Status\*\*: \w/)
    expect(lines.flatMap((line) => (line.startsWith('## ') ? [line.slice(3)] : []))).toEqual(sections)
  })

  test('fits on one page', () => {
    expect(lines.length).toBeLessThanOrEqual(maxLines)
    expect(lines.filter((line) => line.length > maxLineLength)).toEqual([])
  })
})

test('CONTRIBUTING.md links every decision in order, and nothing that is missing', () => {
  const links = linksIn(readFileSync(new URL('CONTRIBUTING.md', root), 'utf8'))
  expect(links.filter((link) => link.startsWith('docs/adr/'))).toEqual(files.map((file) => `docs/adr/${file}`))
  expect(links.filter((link) => !existsSync(new URL(link, root)))).toEqual([])
})
