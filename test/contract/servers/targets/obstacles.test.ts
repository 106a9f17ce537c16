import { deserialize } from 'bson'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type TestMongod, startTestMongod } from '../../../../bench/start/mongod.ts'
import { bodyOffset, createMessageReader, readRequestId } from '../../../../src/protocol/wire/frame.ts'
import { addressText } from '../../../../src/protocol/wire/settings.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { fail } from '../../../fakes/fail.ts'
import { aReply } from '../../../protocol/wire/a-message.ts'
import { startSilentServer } from '../../protocol/wire/fake-server.ts'
import { type Certificates, hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { startContext } from '../../support/start-context.ts'

/** What a run over this URI meets. The hints below come with what is found before the search for a server ends. */
async function meeting(uri: string): Promise<unknown> {
  await using context = await startContext()
  const start = startTarget(targetSpec.parse({ kind: 'existing' }), { ...context, uri: () => uri })
  return await start.then(
    (target) => target[Symbol.asyncDispose](),
    (error: unknown) => error,
  )
}

const hostOf = ({ uri }: TestMongod): string => new URL(uri).host

describe.runIf(hasOpenssl)('TLS', () => {
  let made: Certificates | undefined
  const servers: TestMongod[] = []

  beforeAll(async () => {
    made = await makeCertificates()
    const { authority, server, elsewhere } = made
    const secureWith = (certificate: string): readonly string[] =>
      ['--tlsMode', 'requireTLS', '--tlsAllowConnectionsWithoutCertificates', '--tlsCAFile', authority].concat([
        '--tlsCertificateKeyFile',
        certificate,
      ])
    const args = [secureWith(server), secureWith(elsewhere), []]
    servers.push(...(await Promise.all(args.map((each) => startTestMongod(inject('mongodPath'), each)))))
  })
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]()
    await made?.[Symbol.asyncDispose]()
  })

  const parts = () => {
    const [secure, elsewhere, plain] = servers.map(hostOf)
    const files = made ?? fail('Certificates are there only while tests run')
    return { ...files, secure, elsewhere, plain }
  }

  test('that the server asks for and the URI lacks is named at once', async () => {
    const { secure } = parts()
    expect(await meeting(`mongodb://${secure}/`)).toSay('target-takes-only-tls')
    expect(await meeting(`mongodb://ann:hunter2@${secure}/?directConnection=true`)).toSay('target-takes-only-tls')
  })

  test('that the URI asks for and the server lacks is named at once', async () => {
    const { plain } = parts()
    expect(await meeting(`mongodb://${plain}/?tls=true`)).toSay('target-takes-no-tls')
  })

  test('with an authority that is not known, or is another, ends at once with the option for it', async () => {
    const { secure, otherAuthority } = parts()
    const uri = `mongodb://${secure}/?tls=true`
    expect(await meeting(uri)).toSay('target-authority-unknown')
    expect(await meeting(`${uri}&tlsCAFile=${otherAuthority}`)).toSay('target-authority-unknown')
  })

  test('with the name of another host ends at once', async () => {
    const { elsewhere, authority } = parts()
    expect(await meeting(`mongodb://${elsewhere}/?tls=true&tlsCAFile=${authority}`)).toSay(
      'target-certificate-of-another-host',
    )
  })

  test('with a file that is not there is named', async () => {
    const { secure, authority } = parts()
    const file = `${authority}.no`
    expect(await meeting(`mongodb://${secure}/?tls=true&tlsCAFile=${file}`)).toSay('target-file-missing', { file })
  })

  test('that is right is used', async () => {
    const { secure, authority } = parts()
    expect(await meeting(`mongodb://${secure}/?tls=true&tlsCAFile=${authority}`)).toBeUndefined()
  })
})

test('a wrong password ends at once, with the other reason that there may be', async () => {
  await using server = await startTestMongod(inject('mongodPath'), ['--auth'])
  await using client = new MongoClient(server.uri)
  await client.db('admin').command({ createUser: 'ann', pwd: 'hunter2', roles: ['root'] })
  expect(await meeting(`mongodb://ann:hunter3@${hostOf(server)}/`)).toSay('target-password-wrong')
})

test('a set of another name is diagnosed as that', async () => {
  await using server = await startTestMongod(inject('mongodPath'))
  const uri = `mongodb://${hostOf(server)}/?replicaSet=rs1&serverSelectionTimeoutMS=500`
  expect(await meeting(uri)).toSay('target-of-no-set', { set: 'rs1' })
})

/** A server that begins every login with a number of iterations. */
const startGreedyServer = (iterations: number) =>
  startSilentServer((socket) => {
    const read = createMessageReader((bytes, start, end) => {
      const { speculativeAuthenticate: first } = deserialize(bytes.subarray(start + bodyOffset, end))
      const nonce = /r=(.*)$/.exec(Buffer.from(first.payload.value()).toString())?.[1]
      const payload = Buffer.from(`r=${nonce}x,s=QSXCR+Q6sek8bf92,i=${iterations}`)
      const speculativeAuthenticate = { conversationId: 1, done: false, payload }
      socket.write(aReply({ ok: 1, speculativeAuthenticate }, readRequestId(bytes.subarray(start))))
    })
    socket.on('data', (piece: Buffer) => read(piece))
  })

test('a login that would take for ever is not begun', async () => {
  await using server = await startGreedyServer(2 ** 31 - 1)
  const address = addressText(server.settings.address)
  expect(await meeting(`mongodb://ann:hunter2@${address}/`)).toSay('target-login-given-up', {
    iterations: '10,000,000',
  })
})
