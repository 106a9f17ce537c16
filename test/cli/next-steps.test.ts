import { expect, test } from 'vitest'
import { nextSteps } from '../../src/cli/actions/init.ts'

const made = { spec: { name: 'shop-orders' }, starts: 'replica set of 3 members' }
const uri = ['mongodb://ann:s3cret@127.0.0.1/']

test('a spec of a server is measured on one of the same kind, or on that server by the URI that was given', () => {
  expect(nextSteps('orders.json', made, { uri }).join('\n')).toMatchInlineSnapshot(`
    "next, on a replica set of 3 members that mongo-perf starts on this machine and removes afterwards:
      npx mongo-perf check orders.json
      npx mongo-perf run orders.json --profile smoke
      npx mongo-perf run orders.json
    or on the server that it was made from, in a database of its own, mongoperf_shop_orders:
      npx mongo-perf run orders.json --uri 'mongodb://…'"
  `)
})

test('a URI in the variable is used with --target existing, and a remote server stays allowed', () => {
  expect(nextSteps('a.json', made, { allowRemote: true }).at(-1)).toBe(
    '  npx mongo-perf run a.json --target existing --allow-remote',
  )
})

test('a spec that reads the collection itself is only measured on that server', () => {
  const spec = { name: 'x', target: { kind: 'existing' } }
  expect(nextSteps('a.json', { spec }, { uri })).toEqual([
    'next, on the server that it was made from:',
    '  npx mongo-perf check a.json',
    "  npx mongo-perf run a.json --profile smoke --uri 'mongodb://…'",
    "  npx mongo-perf run a.json --uri 'mongodb://…'",
  ])
})
