import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The package that a bundled module comes from. Undefined: none. */
export const packageOf = (id: string): string | undefined => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

function licenceOf(name: string): string {
  const folder = path.join('node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`The bundled package ${name} has no licence`)
  return readFileSync(path.join(folder, file), 'utf8').trim()
}

/** The licences of packages, which ask to come with what is bundled of them. A text that several have, word for word, is there once. */
export function licenceTexts(names: Iterable<string>): string {
  const packages = new Map<string, string[]>()
  for (const name of [...new Set(names)].toSorted()) {
    const licence = licenceOf(name)
    packages.set(licence, [...(packages.get(licence) ?? []), name])
  }
  return [...packages]
    .map(([licence, those]) => `${those.join(', ')}\n\n${licence}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}
