import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { aProject, ofProgram } from '../editor/a-project.ts'
import { typescript } from '../editor/typescript.ts'
import { fencesOf, pageOf } from './pages.ts'

type Manifest = { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } }

const folder = ofProgram('fixtures/deploy')
const manifestsIn = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(`${folder}/${file}`, 'utf8')).map((document) => document.toJS() as Manifest)
const manifests = readdirSync(folder)
  .filter((file) => file.startsWith('kubernetes'))
  .flatMap(manifestsIn)

/** The module of kubernetes-types that has a kind: "apps/v1", "core/v1", "networking/v1". */
const moduleOf = (apiVersion: string): string => {
  const [group = '', version] = apiVersion.split('/')
  return ofProgram(
    `node_modules/kubernetes-types/${version === undefined ? 'core' : group.split('.')[0]}/${version ?? group}.js`,
  )
}

/** What the compiler finds wrong with objects of Kubernetes, by the types that are made of its schemas: unknown fields, types of values, what is missing. */
async function findErrors(objects: readonly Manifest[]): Promise<readonly string[]> {
  const lines = objects.map(
    ({ apiVersion, kind }, i) =>
      `export const _${i}: import('${moduleOf(apiVersion)}').${kind} = ${JSON.stringify(objects[i])}`,
  )
  await using project = await aProject({ 'manifests.ts': `${lines.join('\n')}\n` })
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, [typescript, '--noEmit', '-p', project.folder], (_, stdout) => resolve(stdout)),
  )
  return output.split('\n').filter((line) => line.includes('error TS'))
}

test('all manifests are objects as the schemas of Kubernetes have them', async () => {
  expect(manifests).toHaveLength(7)
  expect(await findErrors(manifests)).toEqual([])
})

test('a field that Kubernetes does not have, and a value of another type, are found', async () => {
  const { spec, ...deployment } = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & {
    readonly spec: object
  }
  const wrong = [
    { ...deployment, spec: { ...spec, replica: 2 } },
    { ...deployment, spec: { ...spec, replicas: '2' } },
  ]
  const errors = await findErrors(wrong)
  expect(errors).toEqual([
    expect.stringContaining(`'"replica"' does not exist in type 'DeploymentSpec'`),
    expect.stringContaining(`Type 'string' is not assignable to type 'number'`),
  ])
})

type Named = readonly { readonly name: string }[]
const names = (named: Named): readonly string[] => named.map(({ name }) => name)

type Kustomization = {
  readonly resources: readonly string[]
  readonly images: Named
  readonly replicas: Named
  readonly secretGenerator: Named
  readonly configMapGenerator: Named
}

test('the kustomization of the page changes what is in the manifests, and makes what they need', () => {
  const base = parse(readFileSync(`${folder}/kustomization.yaml`, 'utf8')) as Kustomization
  expect(base.resources.flatMap(manifestsIn).map(({ kind }) => kind)).toContain('Deployment')
  const text =
    fencesOf(pageOf('docs/agents-in-containers.md'), 'yaml').find((each) => each.includes('kind: Kustomization')) ?? ''
  const { resources, images, replicas, secretGenerator, configMapGenerator } = parse(text) as Kustomization
  expect(resources).toEqual([expect.stringContaining('mongo-perf/fixtures/deploy')])
  const all = JSON.stringify(manifests)
  for (const name of names(images)) expect(all).toContain(`"image":"${name}:`)
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)
  for (const name of names(replicas)) expect(deployments).toContain(name)
  const taken = all.match(/(?<="secretName":"|"secretRef":\{"name":"|"configMap":\{"name":")[^"]+/g)
  expect(new Set([...names(secretGenerator), ...names(configMapGenerator)])).toEqual(new Set(taken))
})
