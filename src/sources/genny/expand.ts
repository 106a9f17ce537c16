import { dirname, resolve } from 'node:path'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Findings } from '../workloads/findings.ts'
import { parseYaml, toNumber } from '../workloads/parse-yaml.ts'

/** Reads a file that a workload names. */
export type ReadFile = (file: string) => string

type Scope = { readonly folder: string; readonly parameters: JsonObject; readonly depth: number }

/** Maximum number of files that name each other. */
const deepest = 20

/** A workload with its parameters, templates of actors and other files put in. */
export function expandWorkload(root: Json, file: string, read: ReadFile, findings: Findings): JsonObject {
  const templates = new Map<Json, Json>()
  const expanded = expand(root, [], { folder: dirname(file), parameters: {}, depth: 0 })
  return isObject(expanded) ? expanded : {}

  function expand(node: Json, path: Path, scope: Scope): Json {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item, i) => expand(item, [...path, i], scope))
    if (!isObject(node)) return node
    const { ActorTemplates: own = [], LoadConfig: load, ExternalPhaseConfig: phase, ...rest } = node
    for (const template of (own as readonly JsonObject[]).filter(isObject))
      templates.set(template['TemplateName'] ?? null, template['Config'] ?? null)
    const { '^Parameter': parameter, ActorFromTemplate: actor } = node
    if (isObject(parameter)) return expandParameter(parameter, path, scope)
    if (isObject(actor)) return expandActor(actor, path, scope)
    const fields = Object.fromEntries(
      Object.entries(rest).map(([key, item]) => [key, expand(item, [...path, key], scope)]),
    )
    const external = load ?? phase
    return isObject(external) ? { ...loadExternal(external, path, scope), ...fields } : fields
  }

  function expandParameter({ Name, Default }: JsonObject, path: Path, scope: Scope): Json {
    const given = scope.parameters[String(Name)] ?? (Default === undefined ? undefined : expand(Default, path, scope))
    return given ?? findings.refuse(path, `the parameter "${String(Name)}" without a value`)
  }

  function expandActor({ TemplateName, TemplateParameters }: JsonObject, path: Path, scope: Scope): Json {
    const template = templates.get(TemplateName ?? null)
    if (template === undefined) return findings.refuse(path, `the template "${String(TemplateName)}", which is not here,`)
    return expand(template, path, withParameters(scope, TemplateParameters, path))
  }

  function withParameters(scope: Scope, given: Json | undefined, path: Path): Scope {
    const own = expand(given ?? {}, path, scope)
    return { ...scope, parameters: { ...scope.parameters, ...(isObject(own) ? own : {}) } }
  }

  function loadExternal({ Path: name, Key, Parameters }: JsonObject, path: Path, scope: Scope): JsonObject {
    if (scope.depth === deepest) return findings.refuse(path, 'a file that names itself') ?? {}
    const other = resolve(scope.folder, String(name))
    const inside = { ...withParameters(scope, Parameters, path), folder: dirname(other), depth: scope.depth + 1 }
    const loaded = parseYaml(read(other), other)
    const part = Key === undefined || !isObject(loaded) ? loaded : (loaded[String(Key)] ?? null)
    const expandedPart = expand(part, path, inside)
    return isObject(expandedPart) ? expandedPart : (findings.refuse(path, `what ${String(name)} has there`) ?? {})
  }
}

/** An actor in one phase. */
export type ActorPhase = { readonly number: number; readonly config: JsonObject; readonly path: Path }

/** The phases in which an actor is active. */
export function listPhases({ Phases: phases = [] }: JsonObject, path: Path): readonly ActorPhase[] {
  const at = [...path, 'Phases']
  if (isObject(phases)) return listActive(phases, at)
  let next = 0
  return (phases as readonly Json[]).filter(isObject).flatMap((config, i) => {
    if (config['OnlyActiveInPhases'] !== undefined) return listActive(config, [...at, i])
    const [from = next, to = from] = phaseNumbers(config['Phase'])
    next = to + 1
    if (config['Nop'] === true) return []
    return Array.from({ length: to - from + 1 }, (_, n) => ({ number: from + n, config, path: [...at, i] }))
  })
}

function listActive({ OnlyActiveInPhases: only }: JsonObject, path: Path): readonly ActorPhase[] {
  const { Active = [], PhaseConfig: config } = isObject(only ?? null) ? (only as JsonObject) : {}
  return (Array.isArray(Active) ? (Active as readonly Json[]) : [Active]).flatMap(phaseNumbersIn).map((number) => ({
    number,
    config: isObject(config ?? null) ? (config as JsonObject) : {},
    path: [...path, 'OnlyActiveInPhases', 'PhaseConfig'],
  }))
}

/** `3`, or `0..2` for all of these. */
const phaseNumbers = (json: Json | undefined): readonly number[] =>
  (typeof json === 'string' ? json.split('..') : json === undefined ? [] : [json]).flatMap((part) => toNumber(Number(part)) ?? [])

function phaseNumbersIn(json: Json): readonly number[] {
  const [from = 0, to = from] = phaseNumbers(json)
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
