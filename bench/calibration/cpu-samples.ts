import { readCpuMs, readProcessIdentity } from '../../src/servers/targets/server/guardian/process-identity.ts'

/** Times of the wall clock. */
export type TimeSpan = { readonly fromMs: number; readonly toMs: number }

/** CPU time that client and server have used since they started. */
export type CpuSample = { readonly atMs: number; readonly clientMs: number; readonly serverMs: number }

const everyMs = 100

/** Samples the CPU time of two processes until it is ended. No samples where the platform reports none. */
export function sampleCpu(client: number, server: number): { readonly end: () => readonly CpuSample[] } {
  const samples: CpuSample[] = []
  const [ofClient, ofServer] = [readProcessIdentity(client), readProcessIdentity(server)]
  const timer = setInterval(() => {
    const [clientMs, serverMs] = readCpuMs([ofClient, ofServer]).values()
    if (typeof clientMs === 'number' && typeof serverMs === 'number')
      samples.push({ atMs: Date.now(), clientMs, serverMs })
  }, everyMs)
  return {
    end() {
      clearInterval(timer)
      return samples
    },
  }
}

/** CPU time used in a part of the time, between the samples next to its ends. Undefined: not sampled. */
export function cpuShares(
  samples: readonly CpuSample[],
  { fromMs, toMs }: TimeSpan,
): { readonly client: number; readonly server: number } | undefined {
  const inside = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const [first, last] = [inside[0], inside.at(-1)]
  if (!first || !last || first === last) return undefined
  const ms = last.atMs - first.atMs
  return { client: (last.clientMs - first.clientMs) / ms, server: (last.serverMs - first.serverMs) / ms }
}
