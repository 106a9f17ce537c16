import { type Db } from 'mongodb'
import { type Played, type Tamper } from './play.ts'

export const events = (db: Db) => db.collection<{ _id: number }>('events')

/** Fifty documents, inserted by three workers. */
export const inserts = (name: string, checks: readonly object[], phase: object = {}): Played => ({
  name,
  data: { collection: 'events', document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'insert',
      load: { kind: 'closed', workers: 3 },
      stopAfter: { documents: 50 },
      operations: [{ kind: 'insertOne' }],
      ...phase,
    },
  ],
  checks,
})

export const removeTwo: Tamper = (db) => events(db).deleteMany({ _id: { $in: [3, 5] } })
