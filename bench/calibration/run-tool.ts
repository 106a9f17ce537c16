import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type CpuSample, sampleCpu } from './cpu-samples.ts'

/** Output of a process, and the CPU time that it and the server used meanwhile. */
export type Printed = {
  readonly stdout: string
  readonly stderr: string
  readonly endedMs: number
  readonly cpu: readonly CpuSample[]
}

/**
 * Runs a program to its end.
 * @param server PID of the server that it measures.
 * @throws Where it ends with another exit code than 0, with what it printed last.
 */
export async function runTool(program: string, args: readonly string[], server: number): Promise<Printed> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, 'spawn')
  const sampling = sampleCpu(child.pid as number, server)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  const endedMs = Date.now()
  const cpu = sampling.end()
  const [stdout, stderr] = await printed
  if (exitCode !== 0)
    throw new Error(`${program} ended with ${exitCode}:\n${stdout.slice(-lastPart)}\n${stderr.slice(-lastPart)}`)
  return { stdout, stderr, endedMs, cpu }
}

const lastPart = 2000
