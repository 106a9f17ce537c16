import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The package that a bundled module comes from. Undefined: none. */
export const findPackage = (id: string): string | undefined => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]

function readLicence(name: string): string {
  const folder = path.join('node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`The bundled package ${name} has no licence`)
  return readFileSync(path.join(folder, file), 'utf8').trim()
}

/** The licences of packages, which ask to come with what is bundled of them. A text that several have is there once, below the names of its owners. */
export function licenceTexts(names: Iterable<string>): string {
  const owners = new Map<string, string[]>()
  for (const name of [...new Set(names)].toSorted()) {
    const licence = readLicence(name)
    const [copyright = ''] = /^Copyright .*$/m.exec(licence) ?? []
    const text = licence
      .replace(copyright, '')
      .replace(/^.*MIT License.*$/im, 'MIT License')
      .replace(/\n{3,}/, '\n\n')
      .trim()
    owners.set(text, [...(owners.get(text) ?? []), `${name}: ${copyright}`])
  }
  return [...owners].map(([text, those]) => `${those.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`)
}
