import { join } from 'node:path'
import { functions } from '../../language/functions/index.ts'
import { generators } from '../../language/generators/index.ts'
import { columns } from '../../metrics/columns/index.ts'
import { microTasks } from '../../micro/tasks.ts'
import { checks } from '../../servers/checks/index.ts'
import { faultKinds } from '../../servers/faults/index.ts'
import { thisMachine } from '../../servers/machine.ts'
import { targets } from '../../servers/targets/index.ts'
import { type FindContext, type ListedBinary } from '../../servers/targets/server/programs/find-program.ts'
import { listMongods, listMongoses } from '../../servers/targets/server/programs/programs.ts'
import { loadSpecFile } from '../../spec/load-spec.ts'
import { operationKinds } from '../../spec/operations/index.ts'
import { type CliContext } from '../cli-context.ts'
import { shippedFolder, shippedNames } from '../specs/find-specs.ts'

type Listing = readonly (readonly [name: string, text: string])[]

/** The lists of `mongo-perf list`, made from the registries. */
export const listed = {
  specs: async (): Promise<Listing> =>
    Promise.all(
      (await shippedNames()).map(
        async (name) => [name, (await loadSpecFile(join(shippedFolder, `${name}.json`))).title] as const,
      ),
    ),
  columns: async (): Promise<Listing> =>
    Object.entries(columns).map(([name, { title, unit, meaning }]) => [
      name,
      `${title}${unit === '' ? '' : ` [${unit}]`}: ${meaning}`,
    ]),
  operations: async (): Promise<Listing> => operationKinds.map(({ kind, summary }) => [kind, summary]),
  faults: async (): Promise<Listing> => faultKinds.map(({ kind, summary }) => [kind, summary]),
  checks: async (): Promise<Listing> => checks.map(({ kind, summary }) => [kind, summary]),
  generators: async (): Promise<Listing> => generators.map(({ keyword, summary }) => [keyword, summary]),
  functions: async (): Promise<Listing> => functions.map(({ keyword, summary }) => [keyword, summary]),
  micro: async (): Promise<Listing> => microTasks.map(({ name, title }) => [name, title]),
  binaries: async ({ env, stop: signal }: Pick<CliContext, 'env' | 'stop'>): Promise<Listing> =>
    (await listBinaries({ machine: thisMachine(env), signal, log: () => {} })).map(binaryLine),
  targets: async (): Promise<Listing> => targets.map(({ kind, summary }) => [kind, summary]),
}

/** All mongods, then the mongos binaries for the mongod that a run would use. */
async function listBinaries(context: FindContext): Promise<readonly ListedBinary[]> {
  const mongods = await listMongods(context)
  const taken = mongods.find((mongod) => mongod.kind === 'runs')
  return [...mongods, ...(await listMongoses(context, taken?.path))]
}

function binaryLine(binary: ListedBinary): Listing[number] {
  const { source } = binary
  switch (binary.kind) {
    case 'runs':
      return [binary.version, `${binary.path} (${source})`]
    case 'broken':
      return ['broken', `${binary.reason} (${source})`]
    case 'nothing':
      return ['-', `${source}: ${binary.reason}`]
    case 'fetches':
      return ['-', `${source}: fetched when a run needs it: ${binary.fetches}`]
  }
}
