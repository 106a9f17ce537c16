import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { annotateMisses } from '../../src/cli/results/annotate-misses.ts'
import { pathInRepository } from '../../src/cli/results/check-findings.ts'
import { type Verdict } from '../../src/metrics/thresholds.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

mkdirSync('build', { recursive: true })
/** Below the working folder, as in a repository. */
const repository = path.relative('', mkdtempSync(path.resolve('build/annotations-')))
afterAll(() => rmSync(repository, { recursive: true }))
const elsewhere = useFolder()

const miss = (threshold: string): Verdict => ({
  threshold,
  verdict: 'missed',
  measured: 7.5,
  reason: null,
  label: 'a, 100 %',
  misses: 2,
})

const spec = `{
  "name": "shop",
  "thresholds": [
    "errors == 0",
    { "holds": "findOne.p99Ms < 5", "abort": true } // of the team
  ]
}
`

test('missed thresholds are annotations at their lines, or at the file', async () => {
  const file = path.join(repository, 'shop.json')
  writeFileSync(file, spec)
  const misses = ['errors == 0', 'findOne.p99Ms < 5', 'meanMs < 1'].map(miss)
  expect(await annotateMisses(file, misses)).toSay('annotations-of-thresholds', { file })
  expect(await annotateMisses(file, [])).toBe('')
})

test('a threshold that was not judged is a warning, and with --strict an error', async () => {
  const notJudged = {
    ...miss('meanMs < 1'),
    verdict: 'not judged' as const,
    reason: 'other programs used 83 % of the CPU',
    misses: 0,
  }
  const file = path.join(elsewhere, 'spec.json')
  expect(await annotateMisses(file, [notJudged])).toSay('annotation-not-judged')
  expect(await annotateMisses(file, [notJudged], true)).toMatch(/^::error::threshold not judged: /)
})

test('a spec that is no file of the repository, or no JSON, has annotations without a line', async () => {
  const [shipped, properties] = [path.join(elsewhere, 'shop.json'), path.join(repository, 'workload')]
  writeFileSync(shipped, spec)
  writeFileSync(properties, 'recordcount=5')
  expect(await annotateMisses(shipped, [miss('errors == 0')])).toMatch(/^::error::threshold missed: errors == 0/)
  expect(await annotateMisses(properties, [miss('errors == 0')])).toContain(`::error file=${properties}::`)
})

test('files are named from the root of the repository, also where a folder of it is the working folder', () => {
  mkdirSync(path.join(elsewhere, '.git'))
  const working = path.join(elsewhere, 'packages', 'api')
  expect(pathInRepository('shop.json', working)).toBe('packages/api/shop.json')
  expect(pathInRepository(path.join(elsewhere, 'bench', 'shop.json'), working)).toBe('bench/shop.json')
  expect(pathInRepository('node_modules/mongo-perf/shop.json', working)).toBeNull()
})
