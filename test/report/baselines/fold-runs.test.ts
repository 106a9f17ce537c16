import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { foldRuns, readableJson, unfoldRun } from '../../../src/report/baselines/baseline.ts'

const runs: readonly Json[] = [
  { name: 'read', speed: 100, latency: { p50Ms: 1, p99Ms: 3 }, operations: [{ ok: 4 }, { ok: 5 }], warnings: ['one'] },
  { name: 'read', speed: 110, latency: { p50Ms: 1, p99Ms: 4 }, operations: [{ ok: 4 }, { ok: 6 }], warnings: [] },
]

test('runs are folded into one, with a list where they differ', () =>
  expect(foldRuns(runs)).toEqual({
    name: 'read',
    speed: { '@runs': [100, 110] },
    latency: { p50Ms: 1, p99Ms: { '@runs': [3, 4] } },
    operations: [{ ok: 4 }, { ok: { '@runs': [5, 6] } }],
    warnings: { '@runs': [['one'], []] },
  }))

test.each<readonly [string, readonly Json[]]>([
  ['several', runs],
  ['a single one', runs.slice(0, 1)],
  ['some with other names', [{ a: 1 }, { b: 2 }]],
  ['some of other kinds', [{ a: 1 }, [1], null, 'text']],
  ['some with other keys inside', [{ a: { b: 1 } }, { a: { b: 1, c: null } }]],
])('runs come back as they were: %s', (_, given) => {
  const folded = foldRuns(given)
  expect(given.map((_run, index) => unfoldRun(folded, index))).toEqual(given)
})

test('JSON is broken into lines only where it is long', () => {
  const long = Array.from({ length: 30 }, (_, index) => index * 1000)
  const text = readableJson({ short: { a: [1, 2] }, long, text: 'x'.repeat(200) })
  expect(JSON.parse(text)).toEqual({ short: { a: [1, 2] }, long, text: 'x'.repeat(200) })
  expect(text.split('\n').slice(0, 4)).toEqual(['{', ' "short": {"a":[1,2]},', ' "long": [', '  0,'])
})
