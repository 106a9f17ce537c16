import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Whether this machine can make certificates. */
export const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
})()

export type Certificates = AsyncDisposable & {
  readonly authority: string
  readonly otherAuthority: string
  /** Key and certificate of a server on 127.0.0.1. */
  readonly server: string
  /** The same of a server on another machine. */
  readonly elsewhere: string
  /** The same of a client that logs in by it, by the name `clientSubject`. */
  readonly client: string
}

export const clientSubject = 'CN=ann,O=clients'

/** Files of two authorities, and of servers and a client that the first has certified. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const file = (name: string): string => path.join(folder, name)
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

  const authority = (name: string): string => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, ...files)
    return file(`${name}.pem`)
  }
  const certified = async (name: string, address: string, subject = `/CN=${name}`): Promise<string> => {
    openssl('req', ...newKey, '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    await writeFile(file(`${name}.ext`), `subjectAltName=${address}\n`)
    const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', `${name}.ext`]
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-days', '2', '-out', `${name}.crt`)
    const parts = await Promise.all(['key', 'crt'].map((part) => readFile(file(`${name}.${part}`), 'utf8')))
    await writeFile(file(`${name}.pem`), parts.join(''))
    return file(`${name}.pem`)
  }

  return {
    authority: authority('authority'),
    otherAuthority: authority('other'),
    server: await certified('server', 'IP:127.0.0.1'),
    elsewhere: await certified('elsewhere', 'DNS:elsewhere.example'),
    client: await certified('client', 'DNS:client.example', '/O=clients/CN=ann'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
