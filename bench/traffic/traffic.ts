import { type Bench, type BenchContext, unknownName } from '../benchmark.ts'
import { proxyCost } from './proxy.ts'

const parts: Readonly<Record<string, (context: BenchContext) => Promise<void>>> = {
  proxy: proxyCost,
}

/** What recording and replaying cost: `traffic/proxy` is one part of it. */
export const traffic: Bench = async (context) => {
  for (const name of context.part === undefined ? Object.keys(parts) : [context.part]) {
    const part = parts[name]
    if (!part) throw unknownName('part', name, Object.keys(parts))
    await part(context)
  }
}
