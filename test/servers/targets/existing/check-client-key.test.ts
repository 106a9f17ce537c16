import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConnectionString } from 'mongodb-connection-string-url'
import { expect, test } from 'vitest'
import { checkClientKey } from '../../../../src/servers/targets/existing/reach-existing.ts'
import { useFolder } from '../../../fakes/temporary-folder.ts'

const folder = useFolder()

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encrypted = path.join(folder, 'encrypted.pem')
const format = { type: 'pkcs8', format: 'pem' } as const
writeFileSync(encrypted, privateKey.export({ ...format, cipher: 'aes-256-cbc', passphrase: 'a & b' }))
const open = path.join(folder, 'open.pem')
writeFileSync(open, privateKey.export(format))

const uri = (file: string, password?: string): string =>
  `mongodb://127.0.0.1/?tls=true&tlsCertificateKeyFile=${encodeURIComponent(file)}` +
  (password === undefined ? '' : `&tlsCertificateKeyFilePassword=${encodeURIComponent(password)}`)

const checked = (text: string) => () => checkClientKey(new ConnectionString(text), 'MONGO_PERF_URI')

test.each([
  ['no key', 'mongodb://127.0.0.1/'],
  ['a key that is not encrypted', uri(open)],
  ['an encrypted key and its password', uri(encrypted, 'a & b')],
  ['a file that is not there, which the driver reports', uri('/nonexistent.pem')],
])('%s passes', (_what, text) => expect(checked(text)).not.toThrow())

test.each([
  ['without a password', uri(encrypted), 'client-key-without-password'],
  ['with a wrong password', uri(encrypted, 'hunter2'), 'client-key-wrong-password'],
])('an encrypted key %s is reported before any server is asked, without the password', (_what, text, code) =>
  expect(checked(text)).toSay(code, { file: encrypted, variable: 'MONGO_PERF_URI' }),
)
