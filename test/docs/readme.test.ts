import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { drawTerminal } from '../../docs/generator/terminal-picture.ts'
import { shippedNames } from '../../src/cli/specs/find-specs.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { expectations } from '../../src/verdicts/testing/expectations/index.ts'
import { fencesOf, pageOf } from './pages.ts'

const root = new URL('../../', import.meta.url)
const readme = pageOf('README.md')
const maxLines = 110
const maxLinks = 8

describe('the README', () => {
  test('is short, with few links', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines)
    expect(readme.match(/\]\(/g)?.length).toBeLessThanOrEqual(maxLinks)
  })

  test('begins with the two commands', () =>
    expect(fencesOf(readme, 'sh').slice(0, 2)).toEqual([
      'npm ci && npx mongo-perf run quickstart\n',
      'npm ci && npm test\n',
    ]))

  test('counts the specs that ship', async () =>
    expect(readme).toContain(`[${(await shippedNames()).length} specs ship]`))

  test('shows the terminal after the first command, as the stored result has it', async () => {
    const result = await readResult('fixtures/results/quickstart/result.json')
    const drawn = drawTerminal('npx mongo-perf run quickstart', result)
    expect(readFileSync(new URL('fixtures/pictures/terminal.svg', root), 'utf8')).toBe(drawn)
  })

  test('shows pictures that exist', () => {
    const pictures = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(pictures.length).toBeGreaterThan(0)
    expect(pictures.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  test('has the losses of the stored result of a failover', async () => {
    const { variants } = await readResult('fixtures/results/failover/result.json')
    const [one, majority] = variants.map(({ checks }) => checks[0]?.measures)
    expect(readme).toContain(
      `lost: ${one?.['lost']} of ${one?.['acknowledged']} with \`w: 1\`, ${majority?.['lost']} with a majority`,
    )
  })
})

test('the page on comparing has the spec of its comparison', () => {
  const [spec] = fencesOf(pageOf('docs/comparing.md'), 'json spec')
  expect(spec).toBe(readFileSync(new URL('fixtures/examples/durable-inserts.json', root), 'utf8'))
})

test('the page on test suites has every expectation', () => {
  const page = pageOf('docs/test-suites.md')
  for (const name of Object.keys(expectations)) expect(page).toContain(`| \`${name}(`)
})
