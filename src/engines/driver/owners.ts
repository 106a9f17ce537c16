import { type AnyClientBulkWriteModel, type Db, type Document, type MongoClient } from 'mongodb'
import { type Namespace } from '../engine.ts'
import { type Owner } from './replies.ts'

/** A database hands nothing down to its commands, so the phase's read preference goes with each. */
export const commandsOf = (database: Db): Owner & Pick<Db, 'command'> => ({
  bsonOptions: database.bsonOptions,
  command: (command: Document) => database.command(command, { readPreference: database.readPreference }),
})

/** A write of a bulk as the plan makes it: the name of the run's database is not in it. */
type PlannedModel = Omit<AnyClientBulkWriteModel<Document>, 'namespace'> & { readonly namespace: Namespace }

/** A client knows only the write concern of its URI, so the phase's goes with each call. */
export const bulkWriterOf = (client: MongoClient, database: Db): Owner & { readonly bulkWrite: unknown } => ({
  bsonOptions: client.bsonOptions,
  bulkWrite: (models: readonly PlannedModel[], options: object) =>
    client.bulkWrite(
      models.map(
        (model) => ({ ...model, namespace: fullName(model.namespace, database) }) as AnyClientBulkWriteModel<Document>,
      ),
      { ...options, ...(database.writeConcern && { writeConcern: database.writeConcern }) },
    ),
})

const fullName = ({ database, collection }: Namespace, ofRun: Db): string =>
  `${database ?? ofRun.databaseName}.${collection}`
