import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../core/errors.ts'

/**
 * Opens the key that a client shows to a server. OpenSSL reports "bad decrypt" of one that stays closed, after the driver has
 * tried for as long as it looks for a server.
 * @throws {Problem} "usage" where it is encrypted and the password is missing or wrong.
 */
export function checkClientKey({ searchParams }: ConnectionString, variable: string): void {
  const file = searchParams.get('tlsCertificateKeyFile')
  const passphrase = searchParams.get('tlsCertificateKeyFilePassword') ?? undefined
  const key = file === null ? undefined : read(file)
  if (key === undefined || !key.includes('ENCRYPTED') || opens(key, passphrase)) return
  const why = passphrase === undefined ? 'and no password is given' : 'and its password does not open it'
  // No `cause`, and the password in no message.
  throw new Problem('usage', `The key in the tlsCertificateKeyFile of ${variable} (${file}) is encrypted, ${why}`, {
    hint: 'Give its password as tlsCertificateKeyFilePassword in the URI, percent-encoded, or take a key that is not encrypted.',
  })
}

/** What cannot be read the driver names itself. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function opens(key: string, passphrase: string | undefined): boolean {
  try {
    createPrivateKey({ key, passphrase })
    return true
  } catch {
    return false
  }
}
