import { expect, test } from 'vitest'
import { nextSteps } from '../../src/cli/actions/init.ts'

const made = { spec: { name: 'shop-orders' }, starts: 'replica set of 3 members' }
const uri = ['mongodb://ann:s3cret@127.0.0.1/']

test('a spec of a server is measured on one of the same kind, or on that server by the URI that was given', () =>
  expect(nextSteps('orders.json', made, { uri })).toSay('init-next-steps', {
    file: 'orders.json',
    target: made.starts,
    database: 'mongoperf_shop_orders',
  }))

test('a URI in the variable is used with --target existing, and a remote server stays allowed', () =>
  expect(nextSteps('a.json', made, { allowRemote: true }).at(-1)).toSay('init-next-step-remote', { file: 'a.json' }))

test('a spec that reads the collection itself is only measured on that server', () => {
  const spec = { name: 'x', target: { kind: 'existing' } }
  expect(nextSteps('a.json', { spec }, { uri })).toSay('init-next-steps-existing', { file: 'a.json' })
})
