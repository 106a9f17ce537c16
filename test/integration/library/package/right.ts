import { defineSpec, report, run } from 'mongo-perf'

const spec = defineSpec({
  name: 'right',
  target: { kind: 'standalone', server: { cacheGB: 0.25 } },
  variants: { callers: [1, 2] },
  data: { collection: 'docs', rows: 10, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers: { '@param': 'callers' } },
      stopAfter: { operations: 10 },
      operations: [{ kind: 'findOne', filter: { _id: 1 } }],
    },
  ],
})

const result = await run(spec, { onProgress: (event) => void event.kind })
export const markdown: string = report(result).markdown
export const ok: number | undefined = result.variants[0]?.phases[0]?.operations[0]?.ok
