import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An import or export of a module, with what is between the two words. */
const statement = /^(?:import|export) (?:([^;'"]*?) from )?'([^']+)'/gm

/** Whether the build keeps it: what names types alone vanishes. */
function isOfValues(clause: string): boolean {
  if (clause.startsWith('type ')) return false
  const names = /^\{([^]*)\}$/.exec(clause)?.[1]
  return (
    names === undefined ||
    names
      .split(',')
      .map((name) => name.trim())
      .some((name) => name !== '' && !name.startsWith('type '))
  )
}

/** The modules that a file loads with it, as it names them. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(statement)].flatMap(([, clause = '*', module = '']) =>
    isOfValues(clause) ? [module] : [],
  )

/**
 * The packages that loading a file loads, each with one of the shortest chains of imports that lead to it: "src/a.ts → src/b.ts → zod". What is
 * imported only when something is called (`await import(…)`) is not among them.
 */
export function chainsToPackages(entry: string): ReadonlyMap<string, string> {
  const chains = new Map([[entry, entry]])
  const packages = new Map<string, string>()
  for (const [file, chain] of chains) {
    for (const module of importsOf(file)) {
      const imported = module.startsWith('.') ? join(file, '..', module) : module
      const known = imported === module ? packages : chains
      if (!module.startsWith('node:') && !known.has(imported)) known.set(imported, `${chain} → ${imported}`)
    }
  }
  return packages
}
