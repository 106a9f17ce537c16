import { expect, test } from 'vitest'
import { firstVersion, upgradeResult, type UpgradeStep, upgradeSteps } from '../../src/results/files/results-file.ts'
import { resultVersion } from '../../src/results/schema.ts'

const steps: readonly UpgradeStep[] = [
  ({ wallMs, ...rest }) => ({ ...rest, wallSeconds: Number(wallMs) / 1000 }),
  (older) => ({ ...older, notes: [] }),
]

test('the steps lead from the first version to that of the schema', () => {
  expect(firstVersion + upgradeSteps.length).toBe(resultVersion)
})

test('an older file goes through every step that it has not seen', () => {
  expect(upgradeResult('r.json', { version: 1, wallMs: 1500 }, steps)).toEqual({
    version: 3,
    wallSeconds: 1.5,
    notes: [],
  })
  expect(upgradeResult('r.json', { version: 2, wallSeconds: 2 }, steps)).toEqual({
    version: 3,
    wallSeconds: 2,
    notes: [],
  })
})

test('a file of this version stays as it is', () => {
  const file = { version: 3, wallSeconds: 2 }
  expect(upgradeResult('r.json', file, steps)).toEqual(file)
})

test.each([undefined, '1', 0, -1, 1.5])('the version %j is left for the schema to refuse', (version) => {
  expect(upgradeResult('r.json', { version }, steps)).toEqual({ version })
})

test('a newer file is refused by name', () => {
  expect(() => upgradeResult('r.json', { version: 4 }, steps)).toThrow(
    'r.json has version 4 of the format, and this tool reads up to 3',
  )
})
