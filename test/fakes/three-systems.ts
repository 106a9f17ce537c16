import { type System } from '../../src/servers/system.ts'

/** Process 70 has ended and was not waited for, 71 is paused, 72 runs; there is no 73. Each has used 83.45 s of CPU time, or as much of it as the system counts. */
const states = { 70: 'Z', 71: 'T', 72: 'S' } as const
const known = Object.entries(states)

const asked = (text: string | undefined): readonly string[] => (text ?? '').split(',')

function onlyKnown(pids: readonly string[], line: (pid: string, state: string) => string): string {
  const lines = known.filter(([pid]) => pids.includes(pid)).map(([pid, state]) => line(pid, state))
  // As `ps` and PowerShell do.
  if (lines.length === 0) throw new Error('exit code 1')
  return `${lines.join('\r\n')}\r\n`
}

const refuse = (what: string): never => {
  throw new Error(`${what} is not on this system`)
}

/** The answers of three systems about the same processes, as they were recorded or are documented. */
export const systems = {
  linux: {
    platform: 'linux',
    read: (file) => {
      const pid = /^\/proc\/(\d+)\/stat$/.exec(file)?.[1] ?? refuse(file)
      const state = known.find(([one]) => one === pid)?.[1] ?? refuse(file)
      return `${pid} (a (bad) name) ${state} 1 1 1 0 -1 4194560 9 0 0 0 8000 345 0 0 20 0 1 0 ${pid}5531 1 1\n`
    },
    run: refuse,
  },
  darwin: {
    platform: 'darwin',
    read: refuse,
    run: (program, args) =>
      program === 'ps'
        ? onlyKnown(
            asked(args.at(-1)),
            (pid, state) => `  ${pid} ${state}s+    1:23.45 Fri Nov 27 22:10:${pid.at(-1)}7 2026    `,
          )
        : refuse(program),
  },
  win32: {
    platform: 'win32',
    read: refuse,
    run: (program, args) =>
      program === 'powershell.exe'
        ? onlyKnown(asked(/-Id ([\d,]+)/.exec(args.at(-1) ?? '')?.[1]), (pid) => `${pid} 834500000`)
        : refuse(program),
  },
} as const satisfies Record<string, System>
