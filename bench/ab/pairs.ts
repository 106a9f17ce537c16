import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { comparisonText } from '../../src/report/comparison/text.ts'
import { ab, type AbOptions } from '../../src/verdicts/ab/ab.ts'
import { type PartContext } from './run-cases.ts'
import { specFile } from './server.ts'

type Pair = { readonly name: string; readonly spec: string } & Pick<AbOptions, 'a' | 'b' | 'set'>

const quickstart = fileURLToPath(new URL('../../fixtures/specs/quickstart.json', import.meta.url))
const small = { documents: 5000, customers: 500, seconds: 2, warmupSeconds: 0.3 }

/** @param drivers Folders of two installed drivers, with a comma between them: DRIVERS=old/node_modules/mongodb,new/node_modules/mongodb. */
const pairs = (drivers: string | undefined): readonly Pair[] => {
  const [a, b] = drivers?.split(',') ?? []
  return [
    { name: 'engines', spec: quickstart, set: small, b: { engine: 'wire' } },
    ...(a && b ? [{ name: 'drivers', spec: quickstart, set: small, a: { driver: a }, b: { driver: b } }] : []),
    { name: 'index', spec: specFile('lookup'), b: { set: { indexes: [{ key: { customer: 1 } }] } } },
  ]
}

/** Comparisons that people make: of the two engines, of two drivers (where DRIVERS names them), and of with and without an index. */
export async function abOfPairs({ part, out, rounds, quick, mongod, print }: PartContext): Promise<void> {
  const drivers = process.env['DRIVERS']
  if (!drivers) print('Two drivers are compared where DRIVERS=folder,folder names their packages.')
  const binary = await mongod()
  for (const { name, spec, ...options } of pairs(drivers).slice(0, quick ? 1 : undefined)) {
    const folder = path.join(out, part, name)
    await mkdir(folder, { recursive: true })
    const { comparison } = await ab(spec, { ...options, out: folder, rounds, mongod: binary, compact: true })
    if (!comparison) throw new Error('A comparison that was not aborted has a result')
    const text = comparisonText(comparison, 'github')
    await writeFile(path.join(folder, 'comparison.md'), text)
    await writeFile(path.join(folder, 'comparison.json'), `${JSON.stringify(comparison, null, 2)}\n`)
    print(`\n${name}\n\n${text}`)
  }
  print(`Written to ${path.join(out, part)}`)
}
