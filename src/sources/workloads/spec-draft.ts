import { basename } from 'node:path'
import { type Json, type JsonObject } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { specName } from '../init/names.ts'
import { DataSets } from './data-sets.ts'
import { Findings } from './findings.ts'
import { parseYaml } from './parse-yaml.ts'
import { Sizes } from './sizes.ts'

/** Remark on a workload that drops its collections in the end. */
export const notDropped = 'collections are not dropped at the end: a server that is started for the run is gone then'

/** The spec of a workload while it is read. */
export class SpecDraft {
  /** The workload as its file has it. */
  readonly root: Json
  readonly findings: Findings
  readonly data: DataSets
  readonly sizes = new Sizes()
  readonly phases: JsonObject[] = []
  readonly #title: string
  readonly #tool: string

  /** @throws {Problem} "spec-unreadable" where the text is no YAML. */
  constructor(tool: string, { file, text }: WorkloadFile) {
    this.root = parseYaml(text, file)
    this.findings = new Findings(file)
    this.data = new DataSets(this.findings)
    this.#title = basename(file).replace(/\.\w+$/, '')
    this.#tool = tool
  }

  /** @throws {Problem} "spec-invalid" with all that was refused. */
  finish(more: JsonObject = {}): Imported {
    const { findings, sizes, phases } = this
    const title = this.#title
    const data = this.data.json()
    findings.throwIfRefused()
    if (phases.length === 0) findings.refuse([], 'a workload without an operation')
    findings.throwIfRefused()
    const description = `The workload ${title} of ${this.#tool}, imported by \`mongo-perf import ${this.#tool.toLowerCase()}\`.`
    const spec = { name: specName(title), title, description, ...more, ...sizes.json(), data, phases }
    return { spec, remarks: findings.remarks }
  }
}
