import { expect, test } from 'vitest'
import { type Provenance, resumedProvenance } from '../../src/run/provenance.ts'
import { fakeResult } from '../fakes/fake-result.ts'

const earlier = fakeResult({})
const elsewhere: Provenance = {
  tool: { ...earlier.tool, version: '9.9.9' },
  environment: { ...earlier.environment, host: { ...earlier.environment.host, cores: 64 } },
}

test('rows that are kept keep what they were measured with', () => {
  const { tool, environment } = earlier
  expect(resumedProvenance(earlier, elsewhere, false)).toEqual({ tool, environment, warnings: [] })
  expect(resumedProvenance(earlier, earlier, true)).toEqual({ tool, environment, warnings: [] })
})

test('rows that are measured elsewhere are told apart, and stay told', () => {
  const found = resumedProvenance(earlier, elsewhere, true)
  expect(found).toMatchObject({ tool: earlier.tool, environment: earlier.environment })
  expect(found.warnings).toMatchObject([{ code: 'resumed-elsewhere' }])
  expect(found.warnings[0]?.message).toSay('resumed-elsewhere', {
    from: earlier.tool.version,
    later: '9.9.9',
    cores: 64,
  })
  expect(resumedProvenance(found, found, true).warnings).toEqual(found.warnings)
})

test('other doubts of the earlier run are not those of this one', () => {
  const warnings = [{ code: 'ended-early', message: 'A threshold was missed', advice: '' }]
  expect(resumedProvenance({ ...earlier, warnings }, earlier, true).warnings).toEqual([])
})
