import { expect, test } from 'vitest'
import { type Login, startLogin } from '../../../src/protocol/wire/log-in.ts'

/** What is sent after the reply to `hello`; the server then does not go on. */
async function sentAfter(speculativeAuthenticate: unknown, login: Login): Promise<readonly string[]> {
  const sent: string[] = []
  const { finish } = startLogin(login)
  const finished = finish({ ok: 1, speculativeAuthenticate }, async (command) => {
    sent.push(Object.keys(command)[0] ?? '')
    return { ok: 1 }
  })
  await finished.catch((error: unknown) => sent.push(error instanceof Error ? error.name : ''))
  return sent
}

test.each([null, undefined, 'yes', 1])('a server that answers %j has not begun the login', async (given) => {
  const x509 = { mechanism: 'MONGODB-X509', username: '', source: '$external' } as const
  const byPassword = { mechanism: 'SCRAM-SHA-256', username: 'ann', password: 'hunter2', source: 'admin' } as const
  expect(await sentAfter(given, x509)).toEqual(['authenticate'])
  expect(await sentAfter(given, byPassword)).toEqual(['saslStart', 'ConnectionError'])
})
