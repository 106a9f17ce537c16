import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Problem } from '../../core/errors.ts'
import { workingFolder } from '../../servers/machine.ts'
import { type OperationFunctions } from './operation-functions.ts'

/** The functions of a run, and the module that threads load them from. */
export type RunFunctions = {
  readonly named: OperationFunctions
  /** Undefined: they were handed in as values, which threads cannot share. */
  readonly file: string | undefined
}

export const noFunctions: RunFunctions = { named: {}, file: undefined }

/**
 * Loads the functions of a run, which runs the code of their module.
 * @param given The path of a module, or its functions.
 * @throws {Problem} "usage" for a path without functions.
 */
export async function loadFunctions(
  given: string | OperationFunctions,
  folder = workingFolder(),
): Promise<RunFunctions> {
  if (typeof given !== 'string') return { named: given, file: undefined }
  const file = findFunctions(given, folder)
  return { named: await importFunctions(file), file }
}

/**
 * Finds a module of functions, without loading it.
 * @returns Its absolute path.
 * @throws {Problem} "usage" where there is none.
 */
export function findFunctions(given: string, folder: string): string {
  const file = path.resolve(folder, given)
  if (existsSync(file)) return file
  throw new Problem('usage', `There is no module "${given}"`, { hint: moduleHint })
}

/** Loads the functions that a module exports by their names. */
export async function importFunctions(file: string): Promise<OperationFunctions> {
  const exported = Object.entries(await importModule(file)).filter(([, value]) => typeof value === 'function')
  if (exported.length === 0)
    throw new Problem('usage', `The module "${path.basename(file)}" exports no functions`, { hint: moduleHint })
  return Object.fromEntries(exported) as OperationFunctions
}

async function importModule(file: string): Promise<object> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
    // Node finds the names of a CommonJS module only where they are plain to see; its default export has them all.
    return typeof module.default === 'object' ? { ...module.default, ...module } : module
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('usage', `The module "${path.basename(file)}" cannot be loaded: ${reason}`, {
      hint: moduleHint,
      cause: error,
    })
  }
}

const moduleHint =
  'Name a JavaScript module that exports functions: export async function findOrders({ db }, { customer }) { … }'
