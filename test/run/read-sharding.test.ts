import { expect, test } from 'vitest'
import { countOwned } from '../../src/run/read-sharding.ts'

test('neither documents nor bytes of a shard contain orphans', () => {
  expect(countOwned({ count: 400, numOrphanDocs: 100, size: 40_000 })).toEqual({ documents: 300, bytes: 30_000 })
  expect(countOwned({ count: 400, size: 40_000 })).toEqual({ documents: 400, bytes: 40_000 })
  expect(countOwned({})).toEqual({ documents: 0, bytes: 0 })
})
