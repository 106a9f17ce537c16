import { expect, test } from 'vitest'
import { z } from 'zod'
import { targets, targetSpec } from '../../../src/servers/targets/index.ts'

test.each(targets)('a $kind needs no more than its kind', ({ kind }) =>
  expect(targetSpec.parse({ kind })).toMatchObject({ kind, facts: {} }),
)

test('every field of every target is described, with its default', () => {
  for (const { spec } of targets) {
    const { properties = {} } = z.toJSONSchema(spec, { io: 'input' })
    for (const [name, field] of Object.entries(properties)) {
      if (name === 'kind') continue
      expect({ [name]: field }).toHaveProperty([name, 'description'])
    }
  }
})

test('a URI is named by its variable, never written into a spec', () => {
  expect(targetSpec.safeParse({ kind: 'existing', uriFrom: 'MONGO_PERF_URI_LEFT' }).success).toBe(true)
  expect(targetSpec.safeParse({ kind: 'existing', uriFrom: 'mongodb://h' }).success).toBe(false)
  expect(targetSpec.safeParse({ kind: 'existing', uriFrom: 'HOME' }).success).toBe(false)
})

test('an oplog size is refused where nothing is replicated', () => {
  const result = targetSpec.safeParse({ kind: 'standalone', server: { oplogMB: 100 } })
  expect(result.error?.message).toContain('oplogMB')
})
