import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readResult } from '../../src/results/files/results-file.ts'
import { expectations } from '../../src/verdicts/testing/expectations/index.ts'
import { fencesOf, pageOf } from './pages.ts'

const root = new URL('../../', import.meta.url)
const readme = pageOf('README.md')
const maxLines = 160
const maxSpecLines = 12

describe('the README', () => {
  test('is short', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines)
  })

  test('begins with the two commands', () => {
    expect(fencesOf(readme, 'sh').slice(0, 2)).toEqual([
      'npm ci && npx mongo-perf run quickstart\n',
      'npm ci && npm test\n',
    ])
  })

  test('has one spec, that of the comparison that it shows', () => {
    const [spec = '', ...others] = fencesOf(readme, 'json spec')
    expect(others).toEqual([])
    expect(spec).toBe(readFileSync(new URL('fixtures/examples/durable-inserts.json', root), 'utf8'))
    expect(spec.trimEnd().split('\n').length).toBeLessThanOrEqual(maxSpecLines)
  })

  test('shows pictures that exist', () => {
    const pictures = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(pictures.length).toBeGreaterThan(0)
    expect(pictures.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  test('leads with what the stored result of a failover says', async () => {
    const { variants } = await readResult('fixtures/results/failover/result.json')
    const [one, majority] = variants
    const { lost, acknowledged } = one?.checks[0]?.measures ?? {}
    expect(readme).toContain(`lost ${lost} of ${acknowledged} inserts that it had acknowledged with \`w: 1\``)
    expect(one?.phases[0]?.operations).toMatchObject([{ failed: 0, unknown: 0 }])
    const gapMs = majority?.phases[0]?.availability[0]?.longestGapMs ?? 0
    expect(readme).toContain(
      `With a majority it lost ${majority?.checks[0]?.measures['lost']}: nothing was acknowledged for ${Math.floor(gapMs / 1000)} seconds.`,
    )
  })

  test('shows the finding of its picture as PERFORMANCE.md has it', () => {
    const finding = /\*A thousand documents per call instead of one: (.*)\.\*/.exec(readme)?.[1] ?? 'none'
    const findings = readFileSync(new URL('PERFORMANCE.md', root), 'utf8')
      .split('|')
      .map((cell) => cell.trim())
    expect(findings).toContain(finding)
  })
})

test('the page on test suites has every expectation', () => {
  const page = pageOf('docs/test-suites.md')
  for (const name of Object.keys(expectations)) expect(page).toContain(`| \`${name}(`)
})
