import { type ChildProcess, spawn } from 'node:child_process'
import os from 'node:os'

/** Ends by itself, whatever becomes of the test. */
const program = 'const end = Date.now() + 60_000; while (Date.now() < end);'

/** Processes that keep a quarter of the cores busy once started, or a whole one where there are fewer than four. */
export function cpuBurner(): Disposable & { readonly start: () => void } {
  const running: ChildProcess[] = []
  return {
    start() {
      while (running.length < Math.ceil(os.cpus().length / 4))
        running.push(spawn(process.execPath, ['--eval', program], { stdio: 'ignore' }))
    },
    [Symbol.dispose]: () => running.forEach((one) => one.kill('SIGKILL')),
  }
}
