#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { styleText } from 'node:util'
import { finishBeforeExit } from '../core/before-exit.ts'
import { Problem, problems } from '../core/errors.ts'
import { removeUnfinished } from '../core/files.ts'
import { startGuard } from '../core/threads/guard/start-guard.ts'
import { type Screen, plainScreen } from './cli-context.ts'
import { urisIn } from './options/uris.ts'
import { runCli } from './run-cli.ts'
import { asksForJson, showError } from './terminal/show-error.ts'
import { createStatusWriter } from './terminal/status-writer.ts'

const args = process.argv.slice(2)
const stop = new AbortController()
let isStoppable = false

const isDumb = process.env['TERM'] === 'dumb'

const status = createStatusWriter({
  write: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY && process.env['CI'] === undefined && !isDumb,
  columns: () => process.stderr.columns || 80,
  rows: () => process.stderr.rows || 24,
})

const looks = { title: 'bold', figure: 'cyan', good: 'green', bad: 'red', aside: 'dim', code: 'cyan' } as const

const screen: Screen = {
  isTerminal: process.stdout.isTTY,
  get columns() {
    return process.stdout.columns || plainScreen.columns
  },
  show({ text, style, file }) {
    if (file !== undefined && process.stdout.isTTY && !isDumb)
      return text.replace(file, `\u001B]8;;${pathToFileURL(file)}\u0007${file}\u001B]8;;\u0007`)
    return style === 'plain' ? text : styleText(looks[style], text, { stream: process.stdout })
  },
}

async function endWith(error: unknown): Promise<never> {
  process.exit(await showError(error, { ...status, uris: urisIn(args, process.env), errorsAsJson: asksForJson(args) }))
}

/** Under npx one Ctrl-C arrives twice, from the terminal and from npm. No one presses it twice so fast. */
const oneCtrlCMs = 300
let stoppedAtMs = Infinity

function onSignal(signal: NodeJS.Signals): void {
  if (stop.signal.aborted) {
    if (performance.now() - stoppedAtMs < oneCtrlCMs) return
    // Clears the lines that are being rewritten.
    status.printStatus('')
    removeUnfinished()
    // Waits for threads of Node, such as one that derives a key for a login: a further signal ends that too.
    for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(one)
    // Their guardian ends servers that still run once this process is gone.
    void finishBeforeExit().finally(() => process.exit(problems.aborted.exitCode))
    return
  }
  stoppedAtMs = performance.now()
  status.printStatus(`${signal}: stopping and keeping what is done; repeat it to stop at once\n`)
  stop.abort()
}

/** Called only once there is something to keep: until then a signal ends the process at once. */
function listen(): void {
  if (isStoppable) return
  isStoppable = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  startGuard(({ message, hint, code }) => {
    status.printStatus(`error: ${message}\nhint: ${hint}\n`)
    process.exit(problems[code].exitCode)
  })
}

process.on('uncaughtException', (error) => void endWith(error))
// When the terminal is gone, status output is lost, but the result is still kept.
process.stderr.on('error', () => undefined)
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is not an error.
  if (code === 'EPIPE' || code === 'EIO') return
  const hint = 'The result itself is in its folder; `mongo-perf report` prints it again.'
  void endWith(new Problem('output-unwritable', `The standard output cannot be written (${code})`, { hint }))
})

// Set only at the end: before that, Node itself reports a run that stops half-way (13).
process.exitCode = await runCli(args, {
  status,
  screen,
  write: (text) => void process.stdout.write(text),
  env: process.env,
  get stop() {
    listen()
    return stop.signal
  },
})
