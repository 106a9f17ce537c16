import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookOften } from '../../bench/start/mongod.ts'
import { code } from '../../docs/generator/markdown.ts'
import { describeCounts } from '../../docs/generator/replies.ts'
import { run } from '../../src/entries/index.ts'
import { type PhaseResult, type Result } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { startTarget, targetSpec } from '../../src/servers/targets/index.ts'
import { type RunningTarget } from '../../src/servers/targets/target.ts'
import { operations } from '../../src/spec/operations/index.ts'
import { type Operation } from '../../src/spec/operations/operation.ts'
import { ask } from '../contract/support/server-questions.ts'
import { startContext, type TestContext } from '../contract/support/start-context.ts'

const folder = 'fixtures/examples/operations'
const functions = 'fixtures/examples/functions.js'

/** One server for all examples. Change streams need a replica set. */
let context: TestContext
let target: RunningTarget
let version: string

beforeAll(async () => {
  context = await startContext()
  target = await startTarget(
    targetSpec.parse({ kind: 'replicaSet', members: 1, server: { setParameters: lookOften } }),
    context,
  )
  version = String((await ask(target.uri, { buildInfo: 1 }))['version'])
})

afterAll(async () => {
  await target[Symbol.asyncDispose]()
  await context[Symbol.asyncDispose]()
})

const kinds = readdirSync(folder).map((file) => file.replace('.json', ''))

const runExample = (kind: string): Promise<Result> => run(`${folder}/${kind}.json`, { uri: target.uri, functions })

const phasesOf = ({ variants }: Result): readonly PhaseResult[] => variants.flatMap(({ phases }) => phases)

const counts = ['documents', 'matched', 'modified', 'upserted', 'inserted', 'deleted'] as const

const isTooOld = ({ needsServer }: Operation): boolean =>
  needsServer !== undefined && Number.parseFloat(version) < Number.parseFloat(needsServer)

describe.each(kinds)('the example of %s', (kind) => {
  const operation: Operation | undefined = operations.find((each) => each.kind === kind)

  test('runs without a failure, and counts as the reference says', async ({ skip }) => {
    skip(operation !== undefined && isTooOld(operation), 'the server is too old')
    const phases = phasesOf(await runExample(kind))
    const parts = phases.flatMap((phase) => [...phase.operations, ...phase.streams])
    expect(parts.map((part) => part.kind)).toContain(kind)
    expect(parts.flatMap(({ errors }) => errors)).toEqual([])
    for (const result of phases.flatMap((phase) => phase.operations)) {
      expect(result.ok).toBeGreaterThan(0)
      expect(result.failed + result.unknown).toBe(0)
      const told = result.kind === kind && operation ? describeCounts(operation) : undefined
      expect(told === undefined ? [] : untold(result, told)).toEqual([])
    }
  })

  test.runIf(operation?.needsServer)('is refused by a server that is too old for it', async ({ skip }) => {
    skip(operation !== undefined && !isTooOld(operation), 'the server is new enough')
    const needed = String(operation?.needsServer)
    await expect(runExample(kind)).rejects.toSay('example-server-too-old', { kind, needed, version })
  })
})

/** What was counted and is not spoken of; bytes, also what is spoken of and was not counted. */
function untold(result: OperationResult, told: string): readonly string[] {
  const hasBytes = (result.bytes ?? 0) > 0
  return [
    ...counts.filter((name) => (result[name] ?? 0) > 0 && !told.includes(code(name))),
    ...(hasBytes === told.includes('Bytes') ? [] : ['bytes']),
  ]
}
