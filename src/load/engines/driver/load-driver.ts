import * as ours from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { driverVersion } from '../../../core/versions.ts'
import { type DriverModule } from './client-options.ts'
import { bsonMajor, createTranslate, bundledBsonMajor, type Translate } from './translate.ts'

/**
 * The official driver as an application imports it: `import * as mongodb from 'mongodb'`. Described by what every version has,
 * because the classes of two versions are different types.
 */
export type ApplicationDriver = {
  readonly MongoClient: DriverClass
  readonly ReadConcern: DriverClass
  readonly ReadPreference: DriverClass
  readonly GridFSBucket: DriverClass
  readonly Timestamp: DriverClass
  readonly BSON: object
}

type DriverClass = abstract new (...given: never[]) => object

/** The driver that makes the calls of a run. */
export type LoadDriver = {
  readonly module: DriverModule
  readonly version: string
  /** Threads import ours: a module cannot be handed to them. */
  readonly isBundled: boolean
  /** Absent: its BSON takes the types of ours. */
  readonly translate?: Translate
}

/** The driver that this package depends on. */
export const bundledDriver = (): LoadDriver => ({ module: ours, version: driverVersion(), isBundled: true })

/** @throws {Problem} "usage" when it is no driver. */
export async function loadDriverFrom(module: ApplicationDriver): Promise<LoadDriver> {
  if (!isDriver(module)) throw notADriver()
  const version = await readDriverVersion(module)
  if (version === undefined) throw notADriver()
  const handedIn = { module, version, isBundled: false }
  return bsonMajor(module.BSON.ObjectId) === bundledBsonMajor
    ? handedIn
    : { ...handedIn, translate: createTranslate(module.BSON) }
}

/** Checks for the parts that the engine uses. The rest of its types is taken to be as in ours. */
const isDriver = (module: ApplicationDriver): module is ApplicationDriver & DriverModule =>
  classes.every((name) => typeof module[name] === 'function') && 'deserialize' in Object(module.BSON)

const classes = ['MongoClient', 'ReadConcern', 'ReadPreference', 'GridFSBucket', 'Timestamp'] as const

/** The module does not name it, but every client introduces itself to the server by it. Nothing is connected. */
async function readDriverVersion({ MongoClient }: DriverModule): Promise<string | undefined> {
  const { options } = new MongoClient('mongodb://localhost')
  const metadata: unknown = await Reflect.get(Object(options), 'metadata')
  const driver: unknown = Reflect.get(Object(metadata), 'driver')
  const version: unknown = Reflect.get(Object(driver), 'version')
  return typeof version === 'string' ? version : undefined
}

const notADriver = (): Problem =>
  new Problem('usage', '"driver" is not the official driver for MongoDB', {
    hint: "Hand in the whole module: import * as mongodb from 'mongodb', and run(spec, { driver: mongodb }). Or name the package: --driver old/node_modules/mongodb.",
  })
