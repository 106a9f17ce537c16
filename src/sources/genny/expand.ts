import { dirname, resolve } from 'node:path'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { listIn, objectIn, parseYaml } from '../workloads/parse-yaml.ts'

/** Reads a file that a workload names. */
export type ReadFile = (file: string) => string

type Scope = { readonly folder: string; readonly parameters: JsonObject; readonly depth: number }

/** Maximum number of files that name each other. */
const deepest = 20

/** A workload with its parameters, templates of actors and other files put in. */
export function expandWorkload(root: Json, file: string, read: ReadFile, findings: Findings): JsonObject {
  const templates = new Map<Json, Json>()
  return objectIn(expand(root, [], { folder: dirname(file), parameters: {}, depth: 0 }))

  function expand(node: Json, path: Path, scope: Scope): Json {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item, i) => expand(item, [...path, i], scope))
    if (!isObject(node)) return node
    const { ActorTemplates: own, LoadConfig: load, ExternalPhaseConfig: external = load, ...rest } = node
    for (const { TemplateName: name = null, Config: config = null } of listIn(own).map(objectIn))
      templates.set(name, config)
    const { '^Parameter': parameter, ActorFromTemplate: actor } = node
    if (parameter !== undefined) return expandParameter(objectIn(parameter), path, scope)
    if (actor !== undefined) return expandActor(objectIn(actor), path, scope)
    const fields = Object.entries(rest).map(([key, item]) => [key, expand(item, [...path, key], scope)] as const)
    const loaded = external === undefined ? {} : expandFile(objectIn(external), path, scope)
    return { ...loaded, ...Object.fromEntries(fields) }
  }

  function expandParameter({ Name: name, Default: otherwise }: JsonObject, path: Path, scope: Scope): Json {
    const given = scope.parameters[String(name)]
    if (given !== undefined) return given
    if (otherwise !== undefined) return expand(otherwise, path, scope)
    return findings.refuse(path, `the parameter "${String(name)}" without a value`)
  }

  function expandActor(
    { TemplateName: name = null, TemplateParameters: given }: JsonObject,
    path: Path,
    scope: Scope,
  ): Json {
    const template = templates.get(name)
    if (template === undefined) return findings.refuse(path, `the template "${String(name)}", which is not here,`)
    return expand(template, path, withParameters(scope, given, path))
  }

  function expandFile({ Path: name, Key: key, Parameters: given }: JsonObject, path: Path, scope: Scope): JsonObject {
    if (scope.depth === deepest) {
      findings.refuse(path, 'a file that names itself')
      return {}
    }
    const other = resolve(scope.folder, String(name))
    const loaded = parseYaml(read(other), other)
    const inFile = { ...withParameters(scope, given, path), folder: dirname(other), depth: scope.depth + 1 }
    return objectIn(expand(key === undefined ? loaded : (objectIn(loaded)[String(key)] ?? null), path, inFile))
  }

  function withParameters(scope: Scope, given: Json | undefined, path: Path): Scope {
    const own = objectIn(expand(given ?? {}, path, scope))
    return { ...scope, parameters: { ...scope.parameters, ...own } }
  }
}
