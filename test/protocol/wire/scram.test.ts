import { expect, test } from 'vitest'
import { startScram } from '../../../src/protocol/wire/scram.ts'

/** The examples of RFC 5802 (section 5) and RFC 7677 (section 3). */
const conversations = [
  {
    mechanism: 'SCRAM-SHA-1',
    nonce: 'fyko+d2lbbFgONRv9qkxdawL',
    serverFirst: 'r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096',
    final: 'c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=',
    serverFinal: 'v=rmF9pqV8S7suAoZWja4dJRkFsKQ=',
  },
  {
    mechanism: 'SCRAM-SHA-256',
    nonce: 'rOprNGfwEbeRWgbNEkqO',
    serverFirst: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
    final: 'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    serverFinal: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
  },
] as const

type Conversation = (typeof conversations)[number]

const start = ({ mechanism, nonce }: Conversation) => startScram(mechanism, 'user', nonce)

test.each(conversations)('$mechanism goes as its RFC shows', async (conversation) => {
  const { nonce, serverFirst, final, serverFinal } = conversation
  const { first, respond } = start(conversation)
  expect(first).toBe(`n,,n=user,r=${nonce}`)
  const response = await respond(serverFirst, 'pencil')
  expect(response.final).toBe(final)
  expect(() => response.verify(serverFinal)).not.toThrow()
})

test.each(conversations)('$mechanism refuses a server that does not know the password', async (conversation) => {
  const { verify } = await start(conversation).respond(conversation.serverFirst, 'pencil')
  const otherSignature = `v=${Buffer.alloc(conversation.mechanism === 'SCRAM-SHA-1' ? 20 : 32).toString('base64')}`
  for (const serverFinal of [otherSignature, 'v=AAAA', 'v=', 'e=invalid-proof', ''])
    expect(() => verify(serverFinal)).toSay('scram-server-unproven')
})

test.each(conversations)('$mechanism refuses a conversation that is not its own', async (conversation) => {
  const { respond } = start(conversation)
  const { nonce, serverFirst } = conversation
  for (const first of [serverFirst.replace('r=', 'r=x'), `r=${nonce},s=QSXCR+Q6sek8bf92,i=4096`, ''])
    await expect(respond(first, 'pencil')).rejects.toSay('scram-other-nonce')
})

const respondWith = (iterations: string) =>
  start(conversations[0]).respond(conversations[0].serverFirst.replace('i=4096', iterations), 'pencil')

test.each(['i=4095', 'i=', 'i=x', 'i=-1', 'x=1', 'i=4096.5', 'i=1e5', 'i=Infinity', 'i= 5000', 'i=0x2000'])(
  'few or no iterations (%s) are refused',
  async (iterations) => await expect(respondWith(iterations)).rejects.toSay('scram-few-iterations'),
)

test.each(['i=10000001', 'i=2147483647', 'i=4294967296', `i=${'9'.repeat(400)}`])(
  'more iterations than a client can wait for (%s) are refused',
  async (iterations) => await expect(respondWith(iterations)).rejects.toSay('scram-many-iterations'),
)

test('a user name may hold the characters that separate attributes', () =>
  expect(startScram('SCRAM-SHA-256', 'a=b,c=,', 'nonce').first).toBe('n,,n=a=3Db=2Cc=3D=2C,r=nonce'))
