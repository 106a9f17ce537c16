import { expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { isAnyWorse } from '../../../src/report/comparison/comparison.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type SideName } from '../../../src/results/schema/pairing.ts'
import { type WarningCode } from '../../../src/results/warnings/weights.ts'
import { around, phaseWith } from '../../fakes/compared-results.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

type Way = 'in turns' | 'apart'
type Case = readonly [
  what: string,
  way: Way,
  codes: Record<SideName, WarningCode | null>,
  kind: string,
  isWorse: boolean,
]

const both = (code: WarningCode): Record<SideName, WarningCode> => ({ a: code, b: code })

function sideWith(side: SideName, speed: number, code: WarningCode | null, way: Way): Result {
  const warnings = code === null ? [] : [{ code, message: 'a', advice: '' }]
  const given = {
    warnings,
    wallSeconds: code === 'short-window' ? 0.5 : 4,
    otherLoad: [{ runs: ['client'], cpuPercent: 83, usedPercent: null }],
  }
  return fakeResult({
    variants: around(speed).map((one, run) => fakeVariant({ run: run + 1, phases: [phaseWith(one, given)] })),
    ...(way === 'in turns' && { pairing: { id: 'one', side, settings: [side], first: [], rounds: 'fixed' } }),
  })
}

test.each<Case>([
  ['other load', 'in turns', both('other-load'), 'lower', true],
  ['other load', 'apart', both('other-load'), 'not measured', false],
  ['other load beside B', 'apart', { a: null, b: 'other-load' }, 'not measured', false],
  ['client stood still in B', 'in turns', { a: null, b: 'client-stood-still' }, 'lower', true],
  ['client stood still in B', 'apart', { a: null, b: 'client-stood-still' }, 'not measured', false],
  ['short windows', 'apart', both('short-window'), 'lower', true],
  ['not cached', 'in turns', both('not-cached'), 'not measured', false],
  ['A not cached', 'in turns', { a: 'not-cached', b: null }, 'not measured', false],
  ['B not cached', 'in turns', { a: null, b: 'not-cached' }, 'not measured', true],
])('a comparison has a verdict or what speaks against it, and never both: %s, %s', (_, way, codes, kind, isWorse) => {
  const [a, b] = [sideWith('a', 1000, codes.a, way), sideWith('b', 800, codes.b, way)]
  const comparison = compareResults(a, b, { measures: ['opsPerSecond'] })
  const [figure] = comparison.figures
  expect(figure?.verdict.kind).toBe(kind)
  expect(isAnyWorse(comparison)).toBe(isWorse)
  const text = comparisonText(comparison, 'text')
  const isMeasured = kind !== 'not measured'
  expect([figure?.ratio !== null, figure?.interval !== null]).toEqual([isMeasured, isMeasured])
  expect(text.includes('– not measured') || text.includes('was not measured')).toBe(!isMeasured)
  expect(text.includes('Do not compare the columns')).toBe(isMeasured && way === 'in turns')
})

test('verdicts beside other programs name them, and others what speaks against them', () => {
  const textOf = (codes: Record<SideName, WarningCode | null>) =>
    compareResults(sideWith('a', 1000, codes.a, 'in turns'), sideWith('b', 800, codes.b, 'in turns')).figures[0]
      ?.verdict.text
  const sides = [sideWith('a', 1000, 'other-load', 'in turns'), sideWith('b', 800, 'other-load', 'in turns')] as const
  expect(compareResults(...sides).limits).toHaveLine('comparison-limit-disturbed')
  expect(textOf(both('not-cached'))).toSay('comparison-row-fault')
  expect(textOf({ a: null, b: 'not-cached' })).toSay('comparison-row-fault-of-b')
})

function shortSide(side: SideName): Result {
  const result = sideWith(side, 1000, 'other-load', 'in turns')
  return { ...result, variants: result.variants.slice(0, 2) }
}

test('no verdict is said to hold where rounds are too few for one', () => {
  expect(compareResults(shortSide('a'), shortSide('b')).limits[0]).toMatch(
    /^Do not compare the columns with other runs: [^.]*\.$/,
  )
})
