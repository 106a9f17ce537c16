import { afterAll, beforeAll } from 'vitest'
import { startTarget, targetSpec } from '../../../src/targets/index.ts'
import { type RunningTarget } from '../../../src/targets/target.ts'
import { fail } from '../../fakes/fail.ts'
import { startContext, type TestContext } from '../support/start-context.ts'

/** A replica set of one member, for the tests of one file. Its URI is there while they run. */
export function oneMember(): () => string {
  let context: TestContext | undefined
  let target: RunningTarget | undefined
  beforeAll(async () => {
    context = await startContext()
    target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1 }), context)
  })
  afterAll(async () => {
    await target?.[Symbol.asyncDispose]()
    await context?.[Symbol.asyncDispose]()
  })
  return () => target?.uri ?? fail('The set is there only while tests run')
}
