import { type Bench, type BenchContext, unknownName } from '../benchmark.ts'
import { proxyCost } from './proxy.ts'
import { replayCost } from './replay.ts'

const parts: Readonly<Record<string, (context: BenchContext) => Promise<void>>> = {
  proxy: proxyCost,
  replay: replayCost,
}

/** Measures what recording and replaying cost: `traffic/proxy` and `traffic/replay` are parts of it. */
export const traffic: Bench = async (context) => {
  for (const name of context.part === undefined ? Object.keys(parts) : [context.part]) {
    const part = parts[name]
    if (!part) throw unknownName('part', name, Object.keys(parts))
    await part(context)
  }
}
