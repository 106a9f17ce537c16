import { createRequire } from 'node:module'
import * as ours from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { driverVersion } from '../../../core/versions.ts'
import { type DriverModule } from './client-options.ts'
import { listLoadedModules } from './loaded-modules.ts'
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
  /** Drivers before 5.0 do not export it. */
  readonly BSON?: object
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

export const bundledDriver = (): LoadDriver => ({ module: ours, version: driverVersion(), isBundled: true })

/** The driver that a client comes from, among those that this process has loaded. Undefined: none of them is. */
export async function findLoadedDriver(client: object): Promise<LoadDriver | undefined> {
  if (client instanceof ours.MongoClient) return bundledDriver()
  const loaded = findLoaded((MongoClient) => client instanceof MongoClient)
  return loaded && (await loadDriverFrom(loaded.module))
}

type Loaded = { readonly module: ApplicationDriver; readonly file: string }

/** Every version is CommonJS with this main file, also where ES modules import it. */
function findLoaded(isMeant: (MongoClient: DriverClass) => boolean): Loaded | undefined {
  for (const { filename, exports } of listLoadedModules()) {
    if (!/[\\/]lib[\\/]index\.js$/.test(filename)) continue
    const module = Object(exports) as ApplicationDriver
    if (hasClasses(module) && isMeant(module.MongoClient)) return { module, file: filename }
  }
  return undefined
}

/** A driver before 5.0 with the BSON that it uses. */
function withBson(module: ApplicationDriver): ApplicationDriver {
  if (module.BSON !== undefined || !hasClasses(module)) return module
  const loaded = findLoaded((MongoClient) => MongoClient === module.MongoClient)
  return loaded === undefined ? module : { ...module, BSON: createRequire(loaded.file)('bson') as object }
}

/** @throws {Problem} "usage" when it is no driver. */
export async function loadDriverFrom(given: ApplicationDriver): Promise<LoadDriver> {
  const module = withBson(given)
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
  hasClasses(module) && 'deserialize' in Object(module.BSON)

const hasClasses = (module: ApplicationDriver): boolean => classes.every((name) => typeof module[name] === 'function')

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
