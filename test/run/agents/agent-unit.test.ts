import { describe, expect, test } from 'vitest'
import { type RunRequest, type UnitPart, type UnitRun } from '../../../src/load/load-unit.ts'
import { noPart } from '../../../src/load/measure/phase-part.ts'
import { type AgentLink } from '../../../src/run/agents/coordinator/agent-link.ts'
import { createAgentUnit } from '../../../src/run/agents/coordinator/agent-unit.ts'
import { type ClockOffset } from '../../../src/run/agents/coordinator/clock-offset.ts'
import { machineId } from '../../../src/run/agents/machine-id.ts'
import { type AgentAnswer, type AgentRequest } from '../../../src/run/agents/messages.ts'
import { anAnnouncement } from '../../fakes/an-announcement.ts'
import { fakePhase } from '../../fakes/fake-calls.ts'
import { stillClock } from '../../fakes/still-clock.ts'

const aRun = (run: Partial<UnitRun> = {}): UnitRun => {
  const nothing = { rows: [], openLoop: undefined, health: undefined }
  return { beganMs: 1001, endedBecause: 'operations', endMs: 3000, digest: '0-5', calls: 5, ...nothing, ...run }
}

const aPart = (calls: number): UnitPart => {
  const ends = { completeBefore: 0, inFlight: 0, isLast: true }
  return { recorded: { ...noPart(fakePhase()), calls }, evidence: [], ...ends }
}

const begins = { startMs: 1000, windowStartMs: 1000, firstRows: [], goesOn: false }
const request: RunRequest = { pass: 'measured', stopAfter: {}, workers: 1, ...begins }

const offsetOf = (originMs: number): ClockOffset => ({ originMs, errorMs: 0.5, wallAheadMs: 3, roundTripMs: 1 })

const load = { cpuPercent: 50, machineCpuPercent: 60, rssMB: 100 }

const unitOfSpec = { spec: '{}', only: [], existing: true, hash: 'h', row: 0, phase: 0 }
const unitWork = { ...unitOfSpec, shares: [{ index: 0, of: 1 }], firstRows: [], samples: [], evidence: [] }

/** A unit whose agent answers so. */
function setUp({
  parts = [5],
  run = aRun(),
  prepared = () => ({ kind: 'prepared', machineSpeed: 100 }),
  identities = ['one'],
  origins = [100],
}: {
  readonly parts?: readonly number[]
  readonly run?: UnitRun
  readonly prepared?: (deployment: string) => AgentAnswer
  /** As the coordinator finds them, one look after the other. */
  readonly identities?: readonly string[]
  readonly origins?: readonly number[]
} = {}) {
  const asked: AgentRequest[] = []
  const [looks, offsets] = [[...identities], [...origins]]
  const answers = {
    prepare: ({ work }: Extract<AgentRequest, { kind: 'prepare' }>) => prepared(work.deployment),
    run: (): AgentAnswer => ({ kind: 'ran', runs: [{ ...run }], load }),
  }
  const link: AgentLink = {
    name: 'north',
    agent: { ...anAnnouncement, machine: machineId() },
    async ask(one, onPart) {
      asked.push(one)
      if (one.kind === 'prepare') return answers.prepare(one)
      if (one.kind !== 'run') return { kind: 'done' }
      for (const calls of parts) onPart?.(aPart(calls))
      return answers.run()
    },
    notify: () => {},
    markLost: () => {},
    lost: new AbortController().signal,
    close: async () => {},
  }
  const unit = createAgentUnit({
    link,
    phase: 'phase-1',
    work: { ...unitWork, deployment: looks.shift() ?? '' },
    deadlineMs: 30_000,
    offset: async () => offsetOf(offsets.shift() ?? 100),
    deployment: async () => looks.shift() ?? '',
    roundTripMs: () => 1,
    clock: stillClock(),
  })
  const prepares = () => asked.flatMap((one) => (one.kind === 'prepare' ? one.work.deployment : []))
  return { unit, prepares }
}

const runOf = async (options: Parameters<typeof setUp>[0] = {}) => {
  const { unit } = setUp(options)
  await unit.connect(1)
  return await unit.run(request, () => {})
}

describe('what an agent hands over', () => {
  test('is accepted when each call has arrived once', async () => {
    const [run] = await runOf({ parts: [2, 3] })
    const figures = { operations: 5, startOffsetMs: 1, cpuSeconds: 1 }
    expect(run?.agent).toMatchObject({ name: 'north', ...figures, sameMachine: true })
  })

  test.each([
    ['lost', [2], 2],
    ['repeated', [2, 3, 3], 8],
  ])('is refused when a part was %s on the way', async (_what, parts, arrived) => {
    await expect(runOf({ parts })).rejects.toSay('agent-parts-wrong', { agent: 'north', calls: 5, arrived })
  })

  test('is refused when the agent has ended by itself', async () => {
    const ended = runOf({ run: aRun({ endedBecause: 'aborted' }) })
    await expect(ended).rejects.toSay('agent-ended-load', { agent: 'north' })
  })

  test('is accepted when the coordinator has stopped it', async () => {
    const { unit } = setUp({ run: aRun({ endedBecause: 'aborted' }) })
    await unit.connect(1)
    unit.stop('aborted')
    expect(await unit.run(request, () => {})).toHaveLength(1)
  })
})

test('a search has the operations of all steps, and the worst figures of any', async () => {
  const { unit } = setUp({ origins: [100, 100, 104] })
  await unit.connect(1)
  const step = (goesOn: boolean) => unit.run({ ...request, goesOn }, () => {})
  const [first] = await step(false)
  const [last] = await step(true)
  expect(first?.agent).toMatchObject({ operations: 5, clockErrorMs: 0.5 })
  expect(last?.agent).toMatchObject({ operations: 10, clockErrorMs: 4.5, cpuSeconds: 2, cpuPercent: 50 })
})

test('the drift of the clocks until the end of the window is part of the error', async () => {
  const [run] = await runOf({ origins: [100, 97] })
  expect(run?.agent?.clockErrorMs).toBe(3.5)
})

/** An agent that reaches that deployment. */
const reaches = (own: string) => ({
  prepared: (deployment: string): AgentAnswer =>
    deployment === own ? { kind: 'prepared', machineSpeed: null } : { kind: 'elsewhere', deployment: own },
})

describe('an agent that reaches another primary than the coordinator did', () => {
  test('is accepted when the coordinator reaches it too now, after an election', async () => {
    const { unit, prepares } = setUp({ ...reaches('new'), identities: ['old', 'new'] })
    await unit.connect(1)
    expect(prepares()).toEqual(['old', 'new'])
  })

  test('is refused by name when the coordinator still reaches the other', async () => {
    const { unit } = setUp({ ...reaches('other'), identities: ['own', 'own'] })
    await expect(unit.connect(1)).rejects.toSay('agent-elsewhere', { agent: 'north' })
  })
})
