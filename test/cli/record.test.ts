import { expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

test.each([
  ['--from-log', 'a.log', '--for', '5s'],
  ['--from-profile', 'shop', '--listen', '127.0.0.1:27018'],
  ['--from-pcap', 'a.pcap', '--tls-certificate', 'a.pem'],
  ['--port', '27017', '--to', 'mongodb://127.0.0.1/'],
])('%s %s does not go with %s', async (...args) => {
  const { code, stderr } = await runCommandLine(['record', ...args])
  expect(stderr).toContain('cannot be used with')
  expect(code).toBe(2)
})
