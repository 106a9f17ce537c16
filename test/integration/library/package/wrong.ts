import { defineSpec } from 'mongo-perf'

export const spec = defineSpec({
  name: 'wrong',
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workerz: 3 },
      stopAfter: { operations: 10 },
      operations: [{ kind: 'findOne', filter: {} }],
    },
  ],
})
