const target = { kind: 'existing' } as const

/** For tests that are about servers of ours. */
export const ownTarget = { target: { kind: 'standalone' } } as const

/** Three rows of one phase that reads by key; parameters say how long each lasts. Tests wait for moments of it, so it is held back. */
export const threeRows = (second: object, phase: object = {}) => ({
  name: 'three-rows',
  target,
  parameters: { documents: 100, warmup: 0.1, seconds: 0.2 },
  variants: [{ label: 'first' }, { label: 'second', ...second }, { label: 'third' }],
  data: { collection: 'docs', rows: { '@param': 'documents' }, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers: 2, maxRatePerSecond: 500 },
      warmup: { seconds: { '@param': 'warmup' } },
      stopAfter: { seconds: { '@param': 'seconds' } },
      operations: [{ kind: 'findOne', filter: { _id: 5 } }],
      ...phase,
    },
  ],
})

/** The quickest of specs: a few reads of one document. */
export const fewReads = (changes: object = {}) => ({
  name: 'few-reads',
  target,
  data: { collection: 'docs', rows: 10, document: { _id: { '@row': {} } } },
  phases: [
    { name: 'read', stopAfter: { operations: 20 }, operations: [{ kind: 'findOne' as const, filter: { _id: 5 } }] },
  ],
  ...changes,
})

/** Inserts into a set of three until the end of a fault and long after it. */
export const hurtBy = (fault: object) => ({
  name: 'hurt',
  target: { kind: 'replicaSet', members: 3, settings: { electionTimeoutMs: 1_000, heartbeatIntervalMs: 200 } },
  data: { collection: 'docs', document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'write',
      load: { kind: 'closed', workers: 2 },
      stopAfter: { seconds: 600 },
      operations: [{ kind: 'insertOne' }],
      faults: [{ atSeconds: 0.5, ...fault }],
    },
  ],
})
