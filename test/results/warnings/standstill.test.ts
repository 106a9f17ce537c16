import { expect, test } from 'vitest'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { findStandstill } from '../../../src/results/warnings/standstill.ts'
import { getWarningWeight } from '../../../src/results/warnings/weights.ts'
import { sameLatency, healthyOperation, healthyPhase } from '../../fakes/fake-result.ts'

const phaseWith = ({
  loopMs = 0,
  gapSeconds = null,
  ...given
}: Partial<PhaseResult> & { readonly loopMs?: number; readonly gapSeconds?: number | null }): PhaseResult => {
  const base = { ...healthyPhase({ wallSeconds: 8, load: 'closed', faults: [], ...given }), warnings: [] }
  return {
    ...base,
    client: { ...base.client, eventLoopDelayMaxMs: loopMs },
    steadiness: { ...base.steadiness, longestGapSeconds: gapSeconds },
  }
}

const slow = healthyOperation({ latency: { ok: sameLatency(4, 2900), failed: null, unknown: null } })

test.each<readonly [string, Parameters<typeof phaseWith>[0], string | undefined]>([
  ['a client that was stopped for 2 of 8 s', { loopMs: 2000, gapSeconds: 2.1 }, 'client'],
  ['the same in an open loop', { loopMs: 2000, load: 'open' }, 'client'],
  ['a server that stalls for 3 of 8 s', { loopMs: 12, gapSeconds: 3 }, 'server'],
  ['a gap in an open loop, whose response times have it', { gapSeconds: 3, load: 'open' }, undefined],
  ['a gap of less than a tenth of the window', { gapSeconds: 0.7 }, undefined],
  ['a short gap of a short window', { gapSeconds: 0.4, wallSeconds: 1 }, undefined],
  ['calls that always take so long', { gapSeconds: 3, operations: [slow] }, undefined],
  ['a phase with faults', { gapSeconds: 3, faults: [{}] as never }, undefined],
  ['an older result', { gapSeconds: null }, undefined],
])('%s: who stood still', (_, given, of) => {
  expect(findStandstill(phaseWith(given))?.of).toBe(of)
})

test('a row that stood still does not compare, and shows its share', () => {
  const weight = getWarningWeight('server-stood-still')
  expect(weight).toMatchObject({ level: 'do not compare', reason: 'server stood still' })
  expect('share' in weight && weight.share?.(phaseWith({ gapSeconds: 3 }))).toBe(0.375)
  // The client disturbs the measurement, and thresholds on times are not judged. A server is what they judge.
  expect(weight.disturbance).toBeUndefined()
  expect(getWarningWeight('client-stood-still').disturbance?.('25 %')).toSay('client-stood-still-disturbs')
})
