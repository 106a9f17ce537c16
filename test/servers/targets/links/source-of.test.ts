import { expect, test } from 'vitest'
import { isOfClient, sourceFinder } from '../../../../src/servers/targets/links/source-of.ts'
import { checkLinks } from '../../../../src/servers/targets/links/start-links.ts'
import { aTree } from '../../../fakes/a-tree.ts'

/** As Linux 6 has it, the padding at the end of lines left out: a server at 44023 (ABF7), and some of its connections. */
const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   2: 0100007F:C0F8 0100007F:ABF7 06 00000000:00000000 03:000008EA 00000000     0        0 0 3 0000000067c57794
  25: 0100007F:ABF7 0100007F:AAD4 01 00000000:0008031A 02:000AF965 00000000     0        0 671839 3 0000000059f17c71 21 4 10 18 -1
  26: 0100007F:ABF7 0100007F:AAA2 01 00000000:00000000 02:000AF964 00000000     0        0 671186 2 00000000717059d3 20 4 30 11 -1
  52: 0100007F:AAA2 0100007F:ABF7 01 00000000:00000000 02:00002BBC 00000000     0        0 671185 2 00000000f762ea0a 20 4 30 12 -1
 153: 0100007F:AAB0 0100007F:ABF7 01 00000000:00000000 02:00002BC5 00000000  1000        0 671188 3 00000000e6a72b9e 20 4 29 18 8
  55: 0100007F:AAC8 0100007F:ABF7 01 00000000:00000000 02:00002BC5 00000000     0        0 671192 3 0000000080567047 21 4 9 18 8
`
const tcp6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:0050 0000000000000000FFFF00000100007F:ABF7 01 00000000:00000000 00:00000000 00000000     0        0 7000 1 00000000f2a57968 20 4 30 10 -1
`

const files = {
  'proc/net/tcp': tcp,
  'proc/net/tcp6': tcp6,
  'proc/100/fd/0': '-> /dev/null',
  'proc/100/fd/7': '-> socket:[671185]',
  // The number of another file, and of the server's own end of a connection.
  'proc/100/fd/8': '-> pipe:[671188]',
  'proc/200/fd/30': '-> socket:[671186]',
  'proc/200/fd/31': '-> socket:[671188]',
  'proc/200/fd/32': '-> socket:[7000]',
  'proc/999/fd/3': '-> socket:[671192]',
} as const

async function sourceOf(from: number, to = 0xabf7, pids: readonly number[] = [100, 200, 300]) {
  using tree = aTree(files)
  const [source] = await sourceFinder(pids, tree.root)([{ from, to }])
  return source
}

test.each([
  ['of the first member', 0xaaa2, 0],
  ['of the second member', 0xaab0, 1],
  ['of a member with a socket of IPv6', 0x50, 1],
])('a connection %s is known by the process that owns its port', async (_what, port, member) =>
  expect(await sourceOf(port)).toBe(member),
)

test.each<[string, ...Parameters<typeof sourceOf>]>([
  ['of a process that is no member', 0xaac8],
  ['that nobody owns any more', 0xc0f8],
  ['that is not listed', 1],
  ['to somebody else from the same port', 0xaaa2, 0xabf8],
  ['of a member that has ended', 0xaab0, 0xabf7, [100, 300]],
])('a connection %s is a client', async (_what, ...connection) => expect(await sourceOf(...connection)).toBe('client'))

test('several are told at once, in their order', async () => {
  using tree = aTree(files)
  const peers = [0xaab0, 0xaac8, 0x50, 0xaaa2].map((from) => ({ from, to: 0xabf7 }))
  expect(await sourceFinder([100, 200, 300], tree.root)(peers)).toEqual([1, 'client', 1, 0])
})

test('where connections are not listed, links are not measurable, and sets without any are', () => {
  using elsewhere = aTree({ 'proc/': '' })
  expect(() => checkLinks(false, elsewhere)).not.toThrow()
  expect(() => checkLinks(true, elsewhere)).toSay('links-not-measurable')
  using here = aTree(files)
  expect(() => checkLinks(true, here)).not.toThrow()
})

const message = (words: string): Buffer => {
  const bytes = Buffer.from(`    ${words}`)
  bytes.writeInt32LE(bytes.length)
  return bytes
}

test('a first message that is whole tells a client from a member', () => {
  expect(isOfClient(message('hello of a driver'))).toBe(true)
  expect(isOfClient(message('hello with internalClient in it'))).toBe(false)
})

test.each([
  ['part of a message', message('hello of a driver').subarray(0, 12)],
  ['less than its length', Buffer.from('abc')],
  ['what is no message', Buffer.from('a line of text')],
])('%s tells nothing, so that its sender is looked up', (_what, bytes) => expect(isOfClient(bytes)).toBe(false))
