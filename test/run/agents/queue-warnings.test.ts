import { expect, test } from 'vitest'
import { warningsOfInfo } from '../../../src/run/agents/queue-warnings.ts'

const info = (version: string, policy: string): string =>
  `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`

test('a server of today that evicts nothing is fit', () => {
  expect(warningsOfInfo(info('6.2.14', 'noeviction'))).toEqual([])
  expect(warningsOfInfo(info('10.0.0', 'noeviction'))).toEqual([])
})

test('a server that may evict keys gets one warning, which names the policy', () => {
  const [policy, warning] = ['volatile-lru', expect.toSay('queue-may-evict', { policy: 'volatile-lru' })]
  expect(warningsOfInfo(info('7.2.4', policy))).toEqual([warning])
})

test('a server that is too old gets a warning', () => {
  const warning = expect.toSay('queue-too-old', { version: '6.0.16' })
  expect(warningsOfInfo(info('6.0.16', 'noeviction'))).toEqual([warning])
})
