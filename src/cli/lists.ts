import { join } from 'node:path'
import { functions } from '../functions/index.ts'
import { generators } from '../generators/index.ts'
import { loadSpecFile } from '../load-spec.ts'
import { microTasks } from '../micro/tasks/index.ts'
import { operationKinds } from '../operations/index.ts'
import { columns } from '../report/columns.ts'
import { targets } from '../targets/index.ts'
import { shippedFolder, shippedNames } from './find-specs.ts'

type Listing = readonly (readonly [name: string, text: string])[]

/** What `mongo-perf list` shows; each list is the registry itself. */
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
  generators: async (): Promise<Listing> => generators.map(({ word, summary }) => [word, summary]),
  functions: async (): Promise<Listing> => functions.map(({ word, summary }) => [word, summary]),
  micro: async (): Promise<Listing> => microTasks.map(({ name, title }) => [name, title]),
  targets: async (): Promise<Listing> => targets.map(({ kind, summary }) => [kind, summary]),
}
