import { type JsonObject } from '../../core/json.ts'

/** A spec to start with: small, complete, and run in seconds. */
export const starter: JsonObject = {
  name: 'my-first-spec',
  title: 'Reads and writes of orders',
  description: 'Change "document" to look like yours, and "operations" to do what your program does.',
  parameters: { documents: 10_000, workers: 8, seconds: 10 },
  profiles: { smoke: { documents: 1000, seconds: 1 } },
  data: {
    collection: 'orders',
    rows: { '@param': 'documents' },
    document: {
      _id: { '@row': {} },
      customer: { '@int': { min: 1, max: 1000 } },
      status: { '@choice': { values: ['open', 'paid', 'sent'], weights: [1, 3, 6] } },
      at: { '@date': { min: '2026-01-01T00:00:00Z', max: '2026-12-31T00:00:00Z' } },
      note: { '@string': { length: { min: 20, max: 200 } } },
    },
    indexes: [{ key: { customer: 1, at: -1 } }],
  },
  phases: [
    {
      name: 'mix',
      load: { kind: 'closed', workers: { '@param': 'workers' } },
      warmup: { seconds: 2 },
      stopAfter: { seconds: { '@param': 'seconds' } },
      operations: [
        { kind: 'findOne', weight: 6, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
        {
          kind: 'find',
          name: 'lastOrders',
          weight: 2,
          filter: { customer: { '@int': { min: 1, max: 1000 } } },
          sort: { at: -1 },
          limit: 20,
        },
        { kind: 'insertOne', weight: 1 },
        {
          kind: 'updateOne',
          weight: 1,
          filter: { _id: { '@key': {} } },
          update: { $set: { note: { '@string': { length: { min: 20, max: 200 } } } } },
        },
      ],
    },
  ],
}
