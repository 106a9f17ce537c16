import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Problem } from '../../../core/errors.ts'
import { type ApplicationDriver } from './load-driver.ts'

/**
 * Finds an installed driver, without loading it.
 * @param given The folder of its package, or the name of a package that is installed for `workingFolder`.
 * @returns The file of the module.
 * @throws {Problem} "usage" where there is none.
 */
export function findDriver(given: string, workingFolder: string): string {
  const folder = path.resolve(workingFolder, given)
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  try {
    return createRequire(path.join(workingFolder, 'package.json')).resolve(isFolder ? folder : given)
  } catch (error) {
    throw new Problem('usage', `There is no driver "${given}"`, { hint: driverHint, cause: error })
  }
}

/**
 * Loads the module of an installed driver.
 * @param file As `findDriver` found it.
 */
export const requireDriver = (file: string): ApplicationDriver => createRequire(file)(file) as ApplicationDriver

const driverHint =
  'Name the folder of an installed package, such as old/node_modules/mongodb after `npm install --prefix old mongodb@6`.'
