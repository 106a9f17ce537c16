#!/usr/bin/env node
import { Problem, problems, worseExit } from '../errors.ts'
import { createProgram } from './program.ts'
import { showError } from './show-error.ts'
import { createStatusWriter } from './status-writer.ts'
import { urisIn } from './uris.ts'
import { type CliContext } from './cli-context.ts'

const stop = new AbortController()
let isStoppable = false
/** Of a run that goes on. Told to Node at its end only, which else could not say that a run has stopped half-way (its 13). */
let exitCode = 0

const cli: CliContext = {
  ...createStatusWriter({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY && process.env['CI'] === undefined,
    columns: () => process.stderr.columns || 80,
  }),
  print: (text) => void process.stdout.write(text),
  env: process.env,
  uris: urisIn(process.argv, process.env),
  get stop() {
    listen()
    return stop.signal
  },
  exitWith: (code) => void (exitCode = worseExit(code, exitCode)),
}

async function endWith(error: unknown): Promise<never> {
  process.exit(await showError(error, cli))
}

/** Under npx one Ctrl-C comes twice, from the terminal and from npm. Nobody presses two so fast. */
const oneCtrlCMs = 300
let stoppedAtMs = Infinity

function onSignal(signal: NodeJS.Signals): void {
  if (stop.signal.aborted) {
    if (performance.now() - stoppedAtMs < oneCtrlCMs) return
    // Servers that still run are ended by their guardian, which notices that we are gone.
    process.exit(problems.aborted.exitCode)
  }
  stoppedAtMs = performance.now()
  cli.printStatus(`${signal}: stopping and keeping what is done; once more stops at once\n`)
  stop.abort()
}

/** Only once there is something to keep: until then a signal ends the process at once, whatever it computes. */
function listen(): void {
  if (isStoppable) return
  isStoppable = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

process.on('uncaughtException', (error) => void endWith(error))
// When the terminal is gone, nobody is left to tell, but there is a result to be kept.
process.stderr.on('error', () => undefined)
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // Nor is a reader that has seen enough (`| head`) an error.
  if (code === 'EPIPE' || code === 'EIO') return
  const hint = 'The result itself is in its folder; `mongo-perf report` prints it again.'
  void endWith(new Problem('output-unwritable', `The standard output cannot be written (${code})`, { hint }))
})

try {
  await createProgram(cli).parseAsync()
  process.exitCode = exitCode
} catch (error) {
  process.exitCode = await showError(error, cli)
}
