import { z } from 'zod'
import { suggestion } from '../issues.ts'
import { value } from '../value-schema.ts'
import { valueBytes } from '../values/size-and-hash.ts'
import { defineGenerator } from './generator.ts'

export const remembered = defineGenerator({
  keyword: '@remembered',
  summary:
    'The last value that an operation with `remember` has left for this worker, such as the key that it inserted last. The worker is the one of `@worker`, so every run sends the same operations. Only in operations.',
  args: z.strictObject({
    name: z.string().describe('Name of the value, as in "remember" of another operation of the phase.'),
    otherwise: value.optional().describe('Value until the worker remembers one. Default null.'),
  }),
  example: { name: 'order', otherwise: { '@key': {} } },
  countsItself: true,
  compile({ name, otherwise = null }, { call, report, value: compile }) {
    const names = call?.memory.names ?? []
    if (call === undefined) report('"@remembered" works only in operations: rows are loaded before there are workers')
    else if (!names.includes(name))
      report(
        `no operation of the phase has "${name}" in its "remember"${names.length > 0 ? suggestion(name, names) : ''}`,
      )
    if (call === undefined) return () => null
    const first = compile(otherwise, 'otherwise')
    return {
      draw(drawContext) {
        const kept = call.memory.read(name, drawContext.call)
        if (kept === undefined) return first.draw(drawContext)
        drawContext.bytes += valueBytes(kept)
        return kept
      },
      write(drawContext, out) {
        const kept = call.memory.read(name, drawContext.call)
        return kept === undefined ? first.write(drawContext, out) : out.value(kept)
      },
    }
  },
})
