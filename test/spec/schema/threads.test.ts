import { describe, expect, test } from 'vitest'
import { describePlan } from '../../../src/cli/actions/describe-plan.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'

const loadOf = (given: object) => ({ phases: [aPhase({ load: { kind: 'closed', ...given } })] })

describe('threads of a load', () => {
  test('may be a parameter', () => {
    const { spec } = oneRow({ parameters: { cores: 3 }, ...loadOf({ workers: 8, threads: { '@param': 'cores' } }) })
    expect(spec.phases[0]?.load).toEqual({ kind: 'closed', workers: 8, threads: 3 })
  })

  test.each([
    [{ workers: 2, threads: 3 }, 'spec-threads-more-than-workers'],
    [{ workers: 100, threads: 65 }, 'spec-threads-too-many'],
    [{ workers: 1, threads: 0 }, 'spec-threads-none'],
    [{ workers: 2, threads: 1.5 }, 'spec-threads-half'],
  ])('%j is refused', (given, code) => expect(problemsOf(loadOf(given))).toSay(code))

  test('are those of a search and of an open loop too', () => {
    const search = { kind: 'findPeak', from: 4, to: 8, threads: 5 }
    const phases = [{ ...aPhase({ load: search }), stopAfter: null }]
    expect(problemsOf({ phases })).toSay('spec-threads-more-than-first-step')
    const open = { kind: 'open', ratePerSecond: 10, threads: 4 }
    const plan = describePlan(load({ phases: [aPhase({ load: open })] }))
    expect(plan.split(', ')).toHaveLine('plan-open-load-on-threads', { inFlight: 256, connections: 100, threads: 4 })
  })

  test('are shown with the plan where there are several', () => {
    expect(describePlan(load(loadOf({ workers: 8, threads: 2 })))).toContain('phase read: 8 workers on 2 threads, 10')
    expect(describePlan(load(loadOf({ workers: 8, threads: 1 })))).toContain('phase read: 8 workers, 10')
  })

  test('that are not given leave the hash of the work as it was', () =>
    expect(oneRow(loadOf({ workers: 8 })).spec.phases[0]?.load).toEqual({ kind: 'closed', workers: 8 }))
})
