import { type ProgramEnd, runProgram } from '../../../child-process.ts'
import { type Machine } from '../../../machine.ts'

/** The outcome of a binary check: the version of the binary, or the reason why it does not run. */
export type BinaryCheck = { readonly version: string } | { readonly reason: string }

/** The programs that we start as servers. */
export type ServerProgram = 'mongod' | 'mongos'

/** The programs that are looked for. Agents of tests meet at the last two. */
export type SoughtProgram = ServerProgram | 'redis-server' | 'valkey-server'

export const programFile = (program: SoughtProgram, { platform }: Pick<Machine, 'platform'>): string =>
  platform === 'win32' ? `${program}.exe` : program

const redisLine = /(?:Redis|Valkey) server v=(\d+\.\d+\.\d+\S*)/

const versionLines: Readonly<Record<SoughtProgram, RegExp>> = {
  mongod: /db version v(\d+\.\d+\.\d+\S*)/,
  mongos: /mongos version v(\d+\.\d+\.\d+\S*)/,
  'redis-server': redisLine,
  'valkey-server': redisLine,
}

/** Cold, a mongod of 150 MB is read from a slow disk before it answers. */
const versionTimeoutMs = 30_000

/** Asks a binary for its version: the one proof that it runs here. */
export async function checkBinary(
  program: SoughtProgram,
  path: string,
  { env }: Machine,
  signal: AbortSignal,
): Promise<BinaryCheck> {
  const end = await runProgram(path, ['--version'], { env, timeoutMs: versionTimeoutMs, signal })
  if (!end.ok) return { reason: `${path} ${explainStart(end)}` }
  const version = versionLines[program].exec(end.stdout)?.[1]
  return version ? { version } : { reason: `${path} does not print a version as ${program} does` }
}

/** Whether "6.0.5" is a "6.0". */
export function isVersion(version: string, wanted: string | undefined): boolean {
  return (
    wanted === undefined || version === wanted || version.startsWith(`${wanted}.`) || version.startsWith(`${wanted}-`)
  )
}

const packagesByLibrary: ReadonlyMap<string, string> = new Map([
  ['libcurl.so.4', 'libcurl4 (Debian, Ubuntu) or libcurl (Fedora)'],
  ['libssl.so.3', 'libssl3 (Debian, Ubuntu) or openssl-libs (Fedora)'],
  ['libcrypto.so.3', 'libssl3 (Debian, Ubuntu) or openssl-libs (Fedora)'],
  ['libssl.so.1.1', 'OpenSSL 1.1; newer systems have 3, so take a mongod that was built for this system'],
  ['libcrypto.so.1.1', 'OpenSSL 1.1; newer systems have 3, so take a mongod that was built for this system'],
  ['liblzma.so.5', 'liblzma5 (Debian, Ubuntu) or xz-libs (Fedora)'],
])

const explanations: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'is not an executable file'],
  ['ENOEXEC', 'is not a program for this kind of machine'],
  ['SIGILL', 'uses instructions that this processor lacks (mongod 5.0 and newer need AVX)'],
])

/** Why a program did not run, as the end of a sentence that begins with its path. */
export function explainStart({ code, stderr }: Extract<ProgramEnd, { ok: false }>): string {
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(stderr)?.[1]
  if (library) {
    const provider = packagesByLibrary.get(library)
    return `needs the library ${library}, which is missing${provider ? `; install ${provider}` : ''}`
  }
  const glibc = /version [`'](GLIBC\S*?)' not found/.exec(stderr)?.[1]
  if (glibc) return `was built for a newer system (${glibc} is missing)`
  const lastOutput = stderr.trim().split('\n').at(-1)
  return explanations.get(code) ?? `does not run (${[code, lastOutput].filter(Boolean).join(': ')})`
}
