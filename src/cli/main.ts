#!/usr/bin/env node
import { CommanderError } from 'commander'
import { createProgram } from './program.ts'
import { showError } from './show-error.ts'
import { type World } from './world.ts'

const stop = new AbortController()
const hurry = new AbortController()

function onSignal(signal: NodeJS.Signals): void {
  if (!stop.signal.aborted) {
    world.tell(`\n${signal}: ending the phase and keeping what is done; once more stops at once\n`)
    stop.abort()
  } else {
    hurry.abort()
  }
}

const world: World = {
  print: (text) => void process.stdout.write(text),
  tell: (text) => void process.stderr.write(text),
  env: process.env,
  isTerminal: process.stderr.isTTY && process.env['CI'] === undefined,
  columns: process.stderr.columns ?? 80,
  stop: stop.signal,
  hurry: hurry.signal,
  exitWith: (code) => void (process.exitCode = Math.max(code, Number(process.exitCode ?? 0))),
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)
process.on('SIGHUP', onSignal)
// A reader that has seen enough (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await createProgram(world).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else process.exitCode = await showError(error, world)
}
