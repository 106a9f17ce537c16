import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { entryPath } from '../../core/entries.ts'
import { codeFolder, isFromSource, packageRoot, requireFromPackage } from '../../core/package-root.ts'
import { hidden } from '../../servers/child-process.ts'
import { mapLines, type ProcessMessage, type Recording, type RecordRequest, wholeFile } from './recorded.ts'

/** How much longer than a script may take the process may be silent, in milliseconds: scripts end themselves. */
const graceMs = 10_000

/** Memory that Node takes beside that of scripts, in MB. */
const ownMB = 256

/**
 * Records a file in a process of its own, without the environment of this one, and ends it whatever the file does. A test with which it ends
 * is refused, and another process records those behind it.
 * @param onRecording Called with what became of each test, or of the whole file where its tests are not known. The next one waits for it.
 */
export async function recordInProcess(
  request: RecordRequest,
  onRecording: (recording: Recording) => Promise<void>,
): Promise<void> {
  let names: readonly string[] | undefined
  let done = 0
  const refuse = async (name: string, reason: string): Promise<void> => {
    done += 1
    await onRecording({ kind: 'refused', name, reason })
  }
  do {
    let begun = false
    const ended = await readProcess({ ...request, from: done }, async (message) => {
      begun = true
      if (message.kind === 'names') return void (names ??= message.names)
      done += 1
      await onRecording(message.recording)
    })
    if (ended === undefined) return
    if (names === undefined) return await refuse(wholeFile, ended)
    const left = names.slice(done)
    // A file that does not begin a second time is not tried for each of its tests.
    for (const name of begun ? left.slice(0, 1) : left) await refuse(name, ended)
  } while (done < names.length)
}

type TestMessage = Exclude<ProcessMessage, string | { readonly kind: 'end' | 'failed' }>

/** @returns why the process ended before the file had been recorded. Undefined: it was recorded. */
async function readProcess(
  request: RecordRequest,
  onMessage: (message: TestMessage) => Promise<void>,
): Promise<string | undefined> {
  const { seconds, memoryMB } = request
  const tooMuch = `needs more than ${memoryMB} MB of memory`
  const child = startProcess(request)
  let isLate = false
  const kill = (): unknown => child.kill('SIGKILL')
  process.once('exit', kill)
  const end = (): void => {
    isLate = true
    kill()
  }
  const awaitData = (): NodeJS.Timeout => setTimeout(end, seconds * 1000 + graceMs)
  const exit = new Promise<boolean>((resolve) => child.once('close', (_code, signal) => resolve(signal !== null)))
  let timer = awaitData()
  let lines: string[] = []
  let characters = 0
  let open: string[] = []
  try {
    for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      clearTimeout(timer)
      characters += chunk.length
      if (characters > 2 * memoryMB * 2 ** 20) return tooMuch
      const [last = '', ...rest] = chunk.split('\n')
      open.push(last)
      for (const next of rest) {
        const message = JSON.parse(open.join('')) as ProcessMessage
        open = [next]
        if (typeof message === 'string') lines.push(message)
        else if (message.kind === 'end') return undefined
        else if (message.kind === 'failed') return message.reason
        else {
          await onMessage(withLines(message, lines))
          lines = []
          characters = 0
        }
      }
      timer = awaitData()
    }
    const isKilled = await exit
    return isLate ? 'does not end in time' : isKilled ? tooMuch : 'ends its process'
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
    kill()
  }
}

function withLines(message: TestMessage, lines: readonly string[]): TestMessage {
  if (message.kind === 'names' || message.recording.kind === 'refused') return message
  let taken = 0
  const counts = message.counts.values()
  const test = mapLines(message.recording.test, () => lines.slice(taken, (taken += Number(counts.next().value))))
  return { ...message, recording: { kind: 'recorded', test } }
}

/** A process with a limit of memory, on Linux that of the system, which counts typed arrays too. */
function startProcess(request: RecordRequest): ChildProcessByStdio<null, Readable, null> {
  const limit = `--max-old-space-size=${request.memoryMB}`
  const node = [
    process.execPath,
    limit,
    ...permissions(request.folder),
    entryPath('sources/mongo-perf/record-process'),
    JSON.stringify(request),
  ]
  const kilobytes = String((request.memoryMB + ownMB) * 1024)
  const shell = ['/bin/sh', '-c', 'ulimit -c 0; ulimit -d "$0" 2>/dev/null; exec "$@"', kilobytes]
  const [first = '', ...words] = existsSync('/bin/sh') ? [...shell, ...node] : node
  return spawn(first, words, { ...hidden, env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
}

/**
 * Options of Node for a process in which text does not become code, and that may read mongo-perf and the folder of the file, write nothing and start
 * nothing, if this version of Node can see to that.
 */
export function permissions(folder: string): readonly string[] {
  const { resolve } = requireFromPackage
  // From source, a compiler has to start threads and read much.
  if (isFromSource) return ['--import', pathToFileURL(resolve('tsx')).href]
  const flag = ['--permission', '--experimental-permission'].find((name) =>
    process.allowedNodeEnvironmentFlags.has(name),
  )
  const bson = dirname(dirname(resolve('bson')))
  const folders = [codeFolder, bson, folder].map((path) => `${join(path, sep)}*`)
  const readable = [...folders, join(packageRoot, 'package.json')].map((path) => `--allow-fs-read=${path}`)
  return ['--disallow-code-generation-from-strings', ...(flag === undefined ? [] : [flag, ...readable])]
}
